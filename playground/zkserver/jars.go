package zkserver

import (
	"os"
	"path/filepath"
)

// debianOptional are the jars that zookeeper.jar of Debian does not name
// itself: without a logger a failure to boot is silent, and without the
// servlet API the admin server is.
var debianOptional = []string{"slf4j-log4j12.jar", "log4j-1.2.jar", "servlet-api.jar"}

// debianJars is the class path of Debian's libzookeeper-java in dir, or nil.
// The manifest of zookeeper.jar names the jars that it needs.
func debianJars(dir string) []string {
	server := filepath.Join(dir, "zookeeper.jar")
	if !isFile(server) {
		return nil
	}
	classPath := []string{server}
	for _, name := range debianOptional {
		if jar := filepath.Join(dir, name); isFile(jar) {
			classPath = append(classPath, jar)
		}
	}
	return classPath
}

// releaseJars is the class path of a release as Apache packs it, or nil: all
// of lib. Releases before 3.5.6 kept the server's own jar beside lib.
func releaseJars(home string) []string {
	lib := filepath.Join(home, "lib")
	everything := filepath.Join(lib, "*")
	if holdsServer(lib) {
		return []string{everything}
	}
	if holdsServer(home) {
		return []string{filepath.Join(home, "*"), everything}
	}
	return nil
}

// holdsServer reports whether dir has a jar named like zookeeper-3.9.3.jar.
func holdsServer(dir string) bool {
	jars, err := filepath.Glob(filepath.Join(dir, "zookeeper-[0-9]*.jar"))
	return err == nil && len(jars) > 0
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
