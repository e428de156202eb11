package interop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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

// java runs the Java programs, compiled.
type java struct {
	program   string
	classPath string
}

// findJava compiles the Java programs, and fails t where that cannot be done.
func findJava(t *testing.T) java {
	t.Helper()
	j, err := compile(t.Context(), t.TempDir())
	if err != nil {
		t.Fatalf("interop: these tests need a JDK and Apache Curator: %v", err)
	}
	return j
}

// start runs a class.
func (j java) start(ctx context.Context, class string, args ...string) (*child, error) {
	flags := append(jvmFlags[:len(jvmFlags):len(jvmFlags)], "-cp", j.classPath, class)
	return startChild(ctx, class+".java", j.program, append(flags, args...)...)
}

func compile(ctx context.Context, dir string) (java, error) {
	jars, err := curatorJars(zkserver.HostEnvironment())
	if err != nil {
		return java{}, err
	}
	program, javac, err := jdk()
	if err != nil {
		return java{}, err
	}
	files, err := filepath.Glob(javaSources)
	if err != nil {
		return java{}, err
	}
	output, err := exec.CommandContext(ctx, javac, append([]string{"-cp", jars, "-d", dir}, files...)...).CombinedOutput()
	if err != nil {
		return java{}, fmt.Errorf("%s: %w\n%s", javac, err, output)
	}
	return java{program: program, classPath: dir + string(os.PathListSeparator) + jars}, nil
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
