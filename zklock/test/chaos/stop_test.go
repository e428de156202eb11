package chaos_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/chaos"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The environment of a child process: its presence makes this binary one.
const (
	childServers = "ZKLOCK_CHAOS_SERVERS"
	childRoot    = "ZKLOCK_CHAOS_ROOT"
)

// stopEvery is the pause between two processes that are stopped.
const stopEvery = 5 * time.Second

// child is the main function of a process that is to be stopped.
func child() int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := chaos.Hold(ctx, strings.Split(os.Getenv(childServers), ","), os.Getenv(childRoot), os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A stopper stops one process after the other while it holds a lock, for longer
// than its session lasts.
type stopper struct {
	testing.TB
	servers  []string
	root     string
	believed int // processes that believed at the first look
}

// run goes on until ctx ends.
func (s *stopper) run(ctx context.Context, h *chaos.History) error {
	for {
		if err := s.stopOne(ctx, h); err != nil && ctx.Err() == nil {
			return fmt.Errorf("stop a process: %w", err)
		}
		select {
		case <-time.After(stopEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// stopOne runs one process to its end. One whose session is lost before it gets
// the lock is of no use, and no error.
func (s *stopper) stopOne(ctx context.Context, h *chaos.History) error {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childServers+"="+strings.Join(s.servers, ","), childRoot+"="+s.root)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = s.follow(ctx, h, cmd.Process, in, out)
	cmd.Process.Kill() // ends a process that is still stopped
	cmd.Wait()         // fails of the kill
	return err
}

func (s *stopper) follow(ctx context.Context, h *chaos.History, process *os.Process, in io.Writer, out io.Reader) error {
	lines := bufio.NewReader(out)
	var node string
	var token zklock.Token
	if _, err := fmt.Fscanln(lines, &node, &token); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return err
	}
	fault := chaos.Fault{Kind: chaos.Stop, Span: chaos.Span{From: h.Now()}}
	if err := s.stopBeyond(ctx, h, process, node, token, in); err != nil {
		return err
	}
	fault.To = h.Now()
	var r chaos.Report
	if _, err := fmt.Fscanln(lines, &r.Believed, &r.Wrote); err != nil {
		return fmt.Errorf("wait for the process to go on: %w", err)
	}
	h.Injected(fault)
	s.judge(r, node)
	return nil
}

// stopBeyond stops the process until the server has passed the lock on to
// somebody who has written the register.
func (s *stopper) stopBeyond(ctx context.Context, h *chaos.History, process *os.Process, node string, token zklock.Token, in io.Writer) error {
	if err := zktest.Freeze(process.Pid); err != nil {
		return err
	}
	if err := h.AwaitDeleted(ctx, node); err != nil {
		return err
	}
	if err := h.AwaitWrite(ctx, "mutex", token); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(in); err != nil {
		return err
	}
	return zktest.Thaw(process.Pid)
}

func (s *stopper) judge(r chaos.Report, node string) {
	if r.Believed {
		s.believed++
	}
	if r.Wrote {
		s.Errorf("a process that was stopped wrote the register as the owner of %s, which was gone", node)
	}
}
