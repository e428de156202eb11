package zkserver

import (
	"io"
	"os"
	"os/exec"
	"strings"
)

const mainClass = "org.apache.zookeeper.server.quorum.QuorumPeerMain"

// smallJVM starts fast and stays small.
var smallJVM = []string{"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}

// jvmFlags are every JVM's. They leave no file in the temporary directory.
var jvmFlags = []string{"-XX:-UsePerfData", "-Djava.awt.headless=true", "-Djava.net.preferIPv4Stack=true"}

// command is the JVM's command line. Log configuration comes first on the
// class path, so that it wins over what the jars bring.
func command(install Installation, dir *directory, flags []string, output io.Writer) *exec.Cmd {
	classPath := append([]string{dir.conf()}, install.ClassPath...)
	args := append([]string{"-cp", strings.Join(classPath, string(os.PathListSeparator))}, jvmFlags...)
	args = append(args, flags...)
	cmd := exec.Command(install.Java, append(args, mainClass, dir.cfgFile())...)
	cmd.Dir = dir.path
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // else Java cannot open a path beyond ASCII
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{dir.lock}
	return cmd
}
