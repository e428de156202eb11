package zkserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/child"
)

// Why a server finds no place to listen; see package child.
var (
	// ErrNoPort: no free port was found on the loopback address.
	ErrNoPort = child.ErrNoPort
	// ErrPortTaken: another program listens at a port that the server needs.
	ErrPortTaken = child.ErrPortTaken
)

// ErrBoot: the server was started but did not come to serve clients. The text
// ends with the last lines that it wrote.
var ErrBoot = errors.New("ZooKeeper did not start")

const (
	// bootTries bounds the choices of ports at the first start.
	bootTries = 3
	// shownLines of the server's output are part of an error.
	shownLines = 15
)

// bootAnywhere boots the server for the first time, on free ports, and on
// others if another program takes one before the server does. A port that the
// configuration names must be free.
func (s *Server) bootAnywhere(ctx context.Context) error {
	var err error
	for range bootTries {
		if err = s.choosePorts(); err != nil {
			return err
		}
		if err = s.boot(ctx); !errors.Is(err, ErrPortTaken) {
			return err
		}
	}
	return err
}

func (s *Server) choosePorts() error {
	ports, err := child.FreePorts(2)
	if err != nil {
		return err
	}
	if s.config.Port != 0 {
		ports[0] = s.config.Port
		if err := child.CheckFree(s.config.Port); err != nil {
			return err
		}
	}
	s.clientPort = ports[0]
	if s.config.AdminServer {
		s.adminPort = ports[1]
	}
	return nil
}

// boot writes the configuration, starts a JVM and waits until it serves. On
// failure nothing is left running.
func (s *Server) boot(ctx context.Context) error {
	if err := s.writeConf(); err != nil {
		return err
	}
	if err := s.dir.forgetJVM(); err != nil {
		return err
	}
	output := child.NewTail(s.config.Log)
	jvm, err := child.Launch(command(s.install, s.dir, s.config.JVM, output))
	if err != nil {
		return err
	}
	s.setLife(jvm)
	_ = s.dir.recordJVM(jvm.PID()) // where the disk is full, others do without
	stats, err := s.awaitService(ctx, jvm)
	if err != nil {
		jvm.Kill()
		return s.explain(err, output)
	}
	s.setVersion(stats.Version)
	return nil
}

// explain adds to a failed boot what the server said about it.
func (s *Server) explain(err error, output *child.Tail) error {
	if output.Contains("Address already in use") {
		return fmt.Errorf("%w: somebody else listens at %s or at the admin port", ErrPortTaken, s.Address())
	}
	return fmt.Errorf("%w: %w; it wrote:\n%s", ErrBoot, err, output.Lines(shownLines))
}

// awaitService waits until this JVM, and no other, answers on our port.
func (s *Server) awaitService(ctx context.Context, jvm *child.Process) (Stats, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.config.BootTimeout,
		fmt.Errorf("no answer within %v", s.config.BootTimeout))
	defer cancel()
	ctx, died := context.WithCancelCause(ctx)
	defer died(nil)
	defer watchDeath(jvm, died)()
	stats, err := ready(ctx, s.Address())
	if err != nil {
		return Stats{}, err
	}
	if err := s.checkOwner(ctx); err != nil {
		return Stats{}, err
	}
	return stats, s.awaitAdmin(ctx)
}

// watchDeath ends the wait for a JVM when it dies. The function that it
// returns ends the watch and waits for it.
func watchDeath(jvm *child.Process, died context.CancelCauseFunc) func() {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-jvm.Dead():
			died(fmt.Errorf("the JVM ended: %w", jvm.Err()))
		case <-stop:
		}
	}()
	return func() { close(stop); <-done }
}

// checkOwner makes sure that the answer came from our data directory: the port
// may have been another ZooKeeper's all along.
func (s *Server) checkOwner(ctx context.Context) error {
	conf, err := Ask(ctx, s.Address(), "conf")
	if err != nil {
		return err
	}
	if conf == "" {
		return ErrNotServing // it hung up
	}
	if !strings.Contains(conf, "dataDir="+s.dir.data()) {
		return fmt.Errorf("%w: another ZooKeeper answers at %s", ErrPortTaken, s.Address())
	}
	return nil
}

// awaitAdmin waits for the admin server, which starts after the other and
// fails silently when the servlet API is missing.
func (s *Server) awaitAdmin(ctx context.Context) error {
	if s.adminPort == 0 {
		return nil
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: longTimeout}
	poll := time.NewTicker(readyPoll)
	defer poll.Stop()
	for {
		err := getOK(ctx, &client, "http://"+s.AdminAddress()+"/commands/ruok")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the admin server (it needs the servlet API on the class path): %w: %w", context.Cause(ctx), err)
		case <-poll.C:
		}
	}
}

func getOK(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, response.Status)
	}
	return nil
}

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
