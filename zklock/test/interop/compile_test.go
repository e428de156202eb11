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
	// sources matches the Java programs.
	sources = "java/*.java"
	// jarsVariable names the jars where no package has put them.
	jarsVariable = "CURATOR_CLASSPATH"
)

// programs are the Java programs, compiled.
type programs struct {
	java      string
	classPath string
}

var (
	errNoCurator = errors.New("no Apache Curator found: run make interop, or apt-get install libcurator-recipes-java, or name its jars in " + jarsVariable)
	errNoJDK     = errors.New("no Java compiler found: run make interop, or apt-get install default-jdk-headless, or set JAVA_HOME to a JDK")
)

// compile compiles the Java programs, and fails t where that cannot be done.
func compile(t *testing.T) programs {
	t.Helper()
	p, err := compileInto(t.Context(), t.TempDir())
	if err != nil {
		t.Fatalf("interop: these tests need a JDK and Apache Curator: %v", err)
	}
	return p
}

func compileInto(ctx context.Context, dir string) (programs, error) {
	jars, err := curatorJars(zkserver.HostEnvironment())
	if err != nil {
		return programs{}, err
	}
	java, javac, err := jdk()
	if err != nil {
		return programs{}, err
	}
	files, err := filepath.Glob(sources)
	if err != nil {
		return programs{}, err
	}
	output, err := exec.CommandContext(ctx, javac, append([]string{"-cp", jars, "-d", dir}, files...)...).CombinedOutput()
	if err != nil {
		return programs{}, fmt.Errorf("%s: %w\n%s", javac, err, output)
	}
	return programs{java: java, classPath: dir + string(os.PathListSeparator) + jars}, nil
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
