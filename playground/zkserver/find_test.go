package zkserver_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A machine is a directory that holds what a real one has in several places.
type machine struct {
	dir       string
	variables map[string]string
}

func newMachine(t *testing.T, files ...string) machine {
	t.Helper()
	m := machine{dir: t.TempDir(), variables: map[string]string{}}
	for _, file := range files {
		mode := 0o644
		if strings.HasSuffix(file, "/bin/java") {
			mode = 0o755
		}
		writeFile(t, m.at(file), "", os.FileMode(mode))
	}
	return m
}

func (m machine) at(path string) string { return filepath.Join(m.dir, path) }

func (m machine) environment() zkserver.Environment {
	return zkserver.Environment{
		Getenv:     func(name string) string { return m.variables[name] },
		DebianJars: m.at("usr/share/java"),
		Brews:      []string{m.at("brew/opt")},
	}
}

const (
	debianJar  = "usr/share/java/zookeeper.jar"
	brewJar    = "brew/opt/zookeeper/libexec/lib/zookeeper-3.9.3.jar"
	releaseJar = "release/lib/zookeeper-3.8.4.jar"
	oldJar     = "old/zookeeper-3.4.14.jar"
	pathJava   = "usr/bin/java/bin/java"
	homeJava   = "jdk/bin/java"
	brewJava   = "brew/opt/openjdk/bin/java"
)

func TestFindJars(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		home  string // relative to the machine
		env   string // ZOOKEEPER_HOME, relative to the machine
		want  []string
	}{
		{name: "Debian", files: []string{debianJar}, want: []string{debianJar}},
		{
			name:  "Debian with logger and servlet API",
			files: []string{debianJar, "usr/share/java/slf4j-log4j12.jar", "usr/share/java/log4j-1.2.jar", "usr/share/java/servlet-api.jar"},
			want:  []string{debianJar, "usr/share/java/slf4j-log4j12.jar", "usr/share/java/log4j-1.2.jar", "usr/share/java/servlet-api.jar"},
		},
		{name: "Homebrew", files: []string{brewJar}, want: []string{"brew/opt/zookeeper/libexec/lib/*"}},
		{name: "Debian before Homebrew", files: []string{brewJar, debianJar}, want: []string{debianJar}},
		{name: "named home first", files: []string{debianJar, brewJar, releaseJar}, home: "release", want: []string{"release/lib/*"}},
		{name: "variable before Debian", files: []string{debianJar, releaseJar}, env: "release", want: []string{"release/lib/*"}},
		{name: "home before variable", files: []string{oldJar, releaseJar}, home: "old", env: "release", want: []string{"old/*", "old/lib/*"}},
		{name: "home like Debian's", files: []string{debianJar}, home: "usr/share/java", want: []string{debianJar}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine(t, append(test.files, homeJava)...)
			m.variables["JAVA_HOME"] = m.at("jdk")
			if test.env != "" {
				m.variables["ZOOKEEPER_HOME"] = m.at(test.env)
			}
			home := ""
			if test.home != "" {
				home = m.at(test.home)
			}
			got, err := m.environment().Find(home)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, jar := range test.want {
				want = append(want, m.at(jar))
			}
			if !slices.Equal(got.ClassPath, want) {
				t.Errorf("class path %q, want %q", got.ClassPath, want)
			}
		})
	}
}

func TestFindJava(t *testing.T) {
	tests := []struct {
		name     string
		files    []string
		javaHome string
		want     string
	}{
		{name: "on the PATH", files: []string{pathJava}, want: pathJava},
		{name: "in Homebrew", files: []string{brewJava}, want: brewJava},
		{name: "PATH before Homebrew", files: []string{brewJava, pathJava}, want: pathJava},
		{name: "JAVA_HOME before PATH", files: []string{pathJava, homeJava}, javaHome: "jdk", want: homeJava},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine(t, append(test.files, debianJar)...)
			m.variables["PATH"] = "relative:" + m.at("nowhere") + ":" + m.at("usr/bin/java/bin")
			if test.javaHome != "" {
				m.variables["JAVA_HOME"] = m.at(test.javaHome)
			}
			got, err := m.environment().Find("")
			if err != nil || got.Java != m.at(test.want) {
				t.Errorf("Find = %q, %v; want %q", got.Java, err, m.at(test.want))
			}
		})
	}
}

func TestFindFails(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		vars  map[string]string
		home  string
		want  error
		says  string
	}{
		{name: "nothing", want: zkserver.ErrNoZooKeeper, says: "apt-get install zookeeper"},
		{name: "bad home", files: []string{debianJar}, home: "/nowhere", want: zkserver.ErrNoZooKeeper, says: "/nowhere"},
		{name: "bad variable", files: []string{debianJar}, vars: map[string]string{"ZOOKEEPER_HOME": "/nowhere"}, want: zkserver.ErrNoZooKeeper, says: "ZOOKEEPER_HOME=/nowhere"},
		{name: "no Java", files: []string{debianJar}, want: zkserver.ErrNoJava, says: "default-jre-headless"},
		{name: "bad JAVA_HOME", files: []string{debianJar}, vars: map[string]string{"JAVA_HOME": "/nowhere"}, want: zkserver.ErrNoJava, says: "JAVA_HOME=/nowhere"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine(t, test.files...)
			m.variables = test.vars
			_, err := m.environment().Find(test.home)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("Find = %v, want %v that says %q", err, test.want, test.says)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func TestFindIgnoresAJavaThatIsNoProgram(t *testing.T) {
	m := newMachine(t, debianJar, "bin/java/folder", "plain/java")
	m.variables["PATH"] = m.at("bin") + ":" + m.at("plain")
	if got, err := m.environment().Find(""); !errors.Is(err, zkserver.ErrNoJava) {
		t.Errorf("Find = %q, %v; want ErrNoJava", got.Java, err)
	}
}
