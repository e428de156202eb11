package zkserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Why no ZooKeeper can be run here. Each error that [Find] returns wraps one
// of them, and its text is one line that says what to do.
var (
	// ErrNoZooKeeper: no ZooKeeper jars were found.
	ErrNoZooKeeper = errors.New("no ZooKeeper found")
	// ErrNoJava: no Java runtime was found.
	ErrNoJava = errors.New("no Java runtime found")
)

const (
	zooKeeperHint = "install it (apt-get install zookeeper, or brew install zookeeper), set ZOOKEEPER_HOME, or use a running one with -zookeeper host:port"
	javaHint      = "install it (apt-get install default-jre-headless, or brew install openjdk), set JAVA_HOME, or use a running ZooKeeper with -zookeeper host:port"
)

// An Installation is a ZooKeeper that can be run: its jars and a JVM for them.
type Installation struct {
	// Home is the directory in which the jars were found.
	Home string
	// ClassPath lists the jars, in the JVM's syntax for one entry each.
	ClassPath []string
	// Java is the path of the java program.
	Java string
}

// An Environment is what [Environment.Find] knows about the machine.
type Environment struct {
	// Getenv looks up ZOOKEEPER_HOME, JAVA_HOME and PATH.
	Getenv func(string) string
	// DebianJars is the directory of Debian's Java packages.
	DebianJars string
	// Brews lists the directories in which Homebrew may keep its packages.
	Brews []string
}

// HostEnvironment is the machine on which we run.
func HostEnvironment() Environment {
	return Environment{
		Getenv:     os.Getenv,
		DebianJars: "/usr/share/java",
		Brews:      []string{"/opt/homebrew/opt", "/usr/local/opt", "/home/linuxbrew/.linuxbrew/opt"},
	}
}

// Find looks for a ZooKeeper in home, or, if home is empty, in $ZOOKEEPER_HOME,
// among Debian's packages and in Homebrew, in that order; and for Java in
// $JAVA_HOME, on the PATH and in Homebrew. It only looks: whether what it found
// runs is known when a server answers. A home that was named but holds no
// ZooKeeper is an error, even if there is another elsewhere.
func Find(home string) (Installation, error) { return HostEnvironment().Find(home) }

// Find is [Find] on the machine described by e.
func (e Environment) Find(home string) (Installation, error) {
	if err := canManage(); err != nil {
		return Installation{}, err
	}
	home, classPath, err := e.findJars(home)
	if err != nil {
		return Installation{}, err
	}
	java, err := e.findJava()
	if err != nil {
		return Installation{}, err
	}
	return Installation{Home: home, ClassPath: classPath, Java: java}, nil
}

func (e Environment) findJars(home string) (string, []string, error) {
	if home != "" {
		return namedJars(home, home)
	}
	if home = e.Getenv("ZOOKEEPER_HOME"); home != "" {
		return namedJars(home, "ZOOKEEPER_HOME="+home)
	}
	if classPath := debianJars(e.DebianJars); classPath != nil {
		return e.DebianJars, classPath, nil
	}
	for _, brew := range e.Brews {
		home = filepath.Join(brew, "zookeeper", "libexec")
		if classPath := releaseJars(home); classPath != nil {
			return home, classPath, nil
		}
	}
	return "", nil, fmt.Errorf("%w: %s", ErrNoZooKeeper, zooKeeperHint)
}

// namedJars looks in the one home that was named, as Apache's release or
// as Debian lays it out.
func namedJars(home, named string) (string, []string, error) {
	if classPath := releaseJars(home); classPath != nil {
		return home, classPath, nil
	}
	if classPath := debianJars(home); classPath != nil {
		return home, classPath, nil
	}
	return "", nil, fmt.Errorf("%w in %s: name the directory that holds lib/zookeeper-*.jar, or %s", ErrNoZooKeeper, named, zooKeeperHint)
}

func (e Environment) findJava() (string, error) {
	if home := e.Getenv("JAVA_HOME"); home != "" {
		java := filepath.Join(home, "bin", "java")
		if isProgram(java) {
			return java, nil
		}
		return "", fmt.Errorf("%w: JAVA_HOME=%s has no bin/java; %s", ErrNoJava, home, javaHint)
	}
	dirs := filepath.SplitList(e.Getenv("PATH"))
	for _, brew := range e.Brews {
		dirs = append(dirs, filepath.Join(brew, "openjdk", "bin"))
	}
	for _, dir := range dirs {
		java := filepath.Join(dir, "java")
		if filepath.IsAbs(java) && isProgram(java) {
			return java, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoJava, javaHint)
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// debianOptional are the jars that zookeeper.jar of Debian does not name
// itself: without a logger a failure to boot is silent, without the servlet API the
// admin server is, and TLS needs the codecs of Netty.
var debianOptional = []string{"slf4j-log4j12.jar", "log4j-1.2.jar", "servlet-api.jar", "netty-codec.jar"}

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
