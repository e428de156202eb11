package interop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

const (
	// javaSources matches the Java programs.
	javaSources = "java/*.java"
	// jarsVariable names the jars where no package has put them.
	jarsVariable = "CURATOR_CLASSPATH"
)

var (
	errNoCurator = errors.New("no Apache Curator found: run make interop, or apt-get install libcurator-recipes-java, or name its jars in " + jarsVariable)
	errNoJDK     = errors.New("no Java compiler found: run make interop, or apt-get install default-jdk-headless, or set JAVA_HOME to a JDK")
)

// jvmFlags start fast, stay small, and have only warnings logged, to stderr.
var jvmFlags = []string{
	"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
	"-Djava.net.preferIPv4Stack=true", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
}

// javacFlags start fast: the compiler runs for a second or two.
var javacFlags = []string{"-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-proc:none"}

// compiled are the Java programs. It has to be a variable of the package, so that they
// are compiled once: tests have nothing else in common.
var compiled = sync.OnceValues(compile)

// java runs the Java programs.
type java struct {
	program   string
	classPath string
	classes   fstest.MapFS // to be put before the class path
}

// findJava fails t where the Java programs cannot be compiled and run.
func findJava(t *testing.T) java {
	t.Helper()
	j, err := compiled()
	if err != nil {
		t.Fatalf("interop: these tests need a JDK and Apache Curator: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, j.classes); err != nil {
		t.Fatal(err)
	}
	j.classPath = dir + string(os.PathListSeparator) + j.classPath
	return j
}

// start runs a class.
func (j java) start(ctx context.Context, class string, args ...string) (*child, error) {
	flags := append(jvmFlags[:len(jvmFlags):len(jvmFlags)], "-cp", j.classPath, class)
	return startChild(ctx, class+".java", j.program, append(flags, args...)...)
}

func compile() (j java, err error) {
	jars, err := curatorJars(zkserver.HostEnvironment())
	if err != nil {
		return j, err
	}
	program, javac, err := jdk()
	if err != nil {
		return j, err
	}
	sources, err := filepath.Glob(javaSources)
	if err != nil {
		return j, err
	}
	dir, err := os.MkdirTemp("", "interop")
	if err != nil {
		return j, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	args := append(javacFlags[:len(javacFlags):len(javacFlags)], "-cp", jars, "-d", dir)
	if output, err := exec.CommandContext(ctx, javac, append(args, sources...)...).CombinedOutput(); err != nil {
		return j, fmt.Errorf("%s: %w\n%s", javac, err, output)
	}
	classes, err := readFiles(os.DirFS(dir))
	return java{program: program, classPath: jars, classes: classes}, err
}

// readFiles reads the files of a directory.
func readFiles(dir fs.FS) (fstest.MapFS, error) {
	names, err := fs.Glob(dir, "*")
	if err != nil {
		return nil, err
	}
	files := make(fstest.MapFS)
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files, nil
}

// curatorJars returns the class path of Curator. Debian's jars name those that
// they need in their manifests, all but a logger.
func curatorJars(e zkserver.Environment) (string, error) {
	if jars := e.Getenv(jarsVariable); jars != "" {
		return jars, nil
	}
	recipes := filepath.Join(e.DebianJars, "curator-recipes.jar")
	if _, err := os.Stat(recipes); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errNoCurator
		}
		return "", err
	}
	return recipes + string(os.PathListSeparator) + filepath.Join(e.DebianJars, "slf4j-simple.jar"), nil
}

// jdk returns the programs java and javac, which are always side by side.
func jdk() (java, javac string, err error) {
	found, err := zkserver.Find("")
	if err != nil {
		return "", "", err
	}
	if javac, err = exec.LookPath(filepath.Join(filepath.Dir(found.Java), "javac")); err != nil {
		return "", "", fmt.Errorf("%w (%w)", errNoJDK, err)
	}
	return found.Java, javac, nil
}
