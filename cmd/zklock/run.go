package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// unlockTimeout bounds the end. What is left of the lock then goes with the session.
const unlockTimeout = 5 * time.Second

// run runs a command under the lock.
func (p program) run(f *flags) (int, error) {
	file, err := exec.LookPath(f.Arg(0))
	if err != nil {
		return startFailure(err), err
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, forwarded...)
	session, err := f.dial()
	if err != nil {
		return exitFailure, err
	}
	defer session.Close(ended()) // after half a second at most
	lease, code, err := f.acquire(session, signals)
	if err != nil {
		return code, err
	}
	c := &command{program: p, grace: f.grace, lease: lease, signals: signals}
	if f.revocable {
		c.revoked = lease.Revoked()
	}
	if code, err = c.run(file, f.Args()); err != nil {
		err = fmt.Errorf("start %s: %w", file, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), unlockTimeout)
	defer cancel()
	failed := lease.Unlock(ctx)
	if errors.Is(failed, zklock.ErrLost) {
		code = exitLost
	}
	return code, errors.Join(err, failed)
}

// ended returns a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// errSignal is the cause of a wait that a signal has ended.
type errSignal struct{ syscall.Signal }

func (e errSignal) Error() string { return "ended by a signal: " + e.Signal.String() }

// acquire takes the lock that the flags say, or returns the exit code.
func (f *flags) acquire(s *zklock.Session, signals <-chan os.Signal) (*zklock.Lease, int, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if f.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.timeout)
		defer stop()
	}
	type outcome struct {
		lease *zklock.Lease
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		lease, err := f.locker(s)(ctx)
		done <- outcome{lease, err}
	}()
	for {
		select {
		case got := <-done:
			if got.err == nil && ctx.Err() != nil { // too late
				got.err = errors.Join(context.Cause(ctx), got.lease.Unlock(context.Background()))
			}
			var signal errSignal
			switch {
			case errors.As(got.err, &signal):
				return nil, exitSignal + int(signal.Signal), got.err
			case errors.Is(got.err, zklock.ErrHeld), errors.Is(got.err, context.DeadlineExceeded):
				return nil, exitHeld, got.err
			default:
				return got.lease, exitFailure, got.err
			}
		case signal := <-signals:
			cancel(errSignal{signal.(syscall.Signal)})
		}
	}
}

// locker returns the way to take the lock.
func (f *flags) locker(s *zklock.Session) func(context.Context) (*zklock.Lease, error) {
	var l zklock.Locker = zklock.NewMutex(s, f.lock, f.options()...)
	switch rw := zklock.NewRWMutex(s, f.lock, f.options()...); {
	case f.limit > 0 && f.try:
		return zklock.NewSemaphore(s, f.lock, f.limit, f.options()...).TryAcquire
	case f.limit > 0:
		return zklock.NewSemaphore(s, f.lock, f.limit, f.options()...).Acquire
	case f.read && f.try:
		return rw.TryRLock
	case f.read:
		return rw.RLock
	case f.write:
		l = rw
	}
	if f.try {
		return l.TryLock
	}
	return l.Lock
}

// A command is what runs under the lock.
type command struct {
	program
	grace   time.Duration
	lease   *zklock.Lease
	signals <-chan os.Signal
	revoked <-chan struct{} // ends it
	process *os.Process
	alone   bool // it is in the terminal's group of processes, and not in one of its own
}

// run runs the command until it has ended, and returns its exit code.
func (c *command) run(file string, args []string) (int, error) {
	cmd := exec.Command(file, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, c.stdout, c.stderr
	cmd.Env = append(os.Environ(), "ZKLOCK_TOKEN="+strconv.FormatInt(int64(c.lease.Token()), 10), "ZKLOCK_NODE="+c.lease.Node())
	c.alone = onTerminal()
	cmd.SysProcAttr = attributes(c.alone)
	guard, err := startGuard()
	if err != nil {
		return exitCannot, err
	}
	defer guard.end()
	if err := cmd.Start(); err != nil {
		return startFailure(err), err
	}
	c.process = cmd.Process
	if err = guard.watch(c); err != nil {
		c.kill()
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // what became of it is in its state
	}()
	c.watch(ended)
	if err != nil {
		return exitCannot, err
	}
	c.killRest()
	return exitCode(cmd.ProcessState), nil
}

// watch ends the command when the lock is lost, and passes signals on to it.
func (c *command) watch(ended <-chan struct{}) {
	lost, revoked := c.lease.Context().Done(), c.revoked
	var kill <-chan time.Time
	for {
		var why string
		select {
		case <-ended:
			return
		case s := <-c.signals:
			if !c.alone || !fromKeyboard(s) {
				c.signal(s)
			}
			continue
		case <-kill:
			c.kill()
			continue
		case <-revoked:
			revoked, why = nil, "somebody asks for the lock"
		case <-lost:
			lost, why = nil, c.lease.Err().Error()
		}
		fmt.Fprintln(c.stderr, "zklock: ending the command:", why)
		c.signal(syscall.SIGTERM)
		if kill == nil {
			kill = time.After(c.grace)
		}
	}
}

// startFailure is the exit code for a command that was not started.
func startFailure(err error) int {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return exitMissing
	}
	return exitCannot
}
