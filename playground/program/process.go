package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

var (
	// ErrFlood ends a program that says too much.
	ErrFlood = errors.New("the program says too much")
	// ErrEnded is returned for a program that has ended.
	ErrEnded = errors.New("the program has ended")
)

// A Config says what to run, and who is told what it says. Said, Wrote and Ended are
// called one at a time, by goroutines of the Process, and delay what comes after.
type Config struct {
	// Command is the program and its arguments.
	Command []string
	// Env is what it finds in its environment besides the playground's own.
	Env []string
	// Supervisor is the command that runs [Supervise].
	Supervisor []string
	// Said is told each message that fits the dialogue, before the turn goes on.
	Said func(Message)
	// Wrote is told each line of its standard error.
	Wrote func(line string)
	// Ended is told, last of all, how the program has ended; nil if it was to.
	Ended func(error)
}

// A Process is a program from its start to its end. Its methods are safe for concurrent use.
type Process struct {
	config  Config
	stdin   *os.File
	control *os.File // to the supervisor
	acks    chan struct{}
	// commanding is had while the supervisor does something.
	commanding sync.Mutex
	gone       chan struct{} // closed when the supervisor has ended, with all of the program
	done       chan struct{} // closed when Ended has been told, too

	mu       sync.Mutex
	dialogue dialogue
	turn     *turn // the last
	err      error // the first reason to end it
	ending   bool  // it is to end
}

// A turn is what waits for the program's answers.
type turn struct {
	answers chan Message
	lost    chan struct{} // closed when it says so
}

// Start starts a program. Close must follow.
func Start(config Config) (*Process, error) {
	if len(config.Command) == 0 || len(config.Supervisor) == 0 {
		return nil, errors.New("program: no command")
	}
	p := &Process{config: config, acks: make(chan struct{}, 1), gone: make(chan struct{}), done: make(chan struct{})}
	var pipes pipes
	childIn, stdin := pipes.make()
	stdout, childOut := pipes.make()
	stderr, childErr := pipes.make()
	childControl, control := pipes.make()
	status, childStatus := pipes.make()
	if pipes.err != nil {
		pipes.close()
		return nil, fmt.Errorf("start the program: %w", pipes.err)
	}
	command := append(append([]string{}, config.Supervisor...), config.Command...)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	cmd.ExtraFiles = []*os.File{childControl, childStatus}
	cmd.Env = append(environment(os.Environ()), config.Env...)
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		pipes.close()
		return nil, fmt.Errorf("start the program: %w", err)
	}
	for _, f := range []*os.File{childIn, childOut, childErr, childControl, childStatus} {
		f.Close()
	}
	p.stdin, p.control = stdin, control
	go p.serve(cmd, stdout, stderr, status)
	return p, nil
}

// pipes are made together or not at all.
type pipes struct {
	all []*os.File
	err error
}

func (p *pipes) make() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		p.err = errors.Join(p.err, err)
		return nil, nil
	}
	p.all = append(p.all, r, w)
	return r, w
}

func (p *pipes) close() {
	for _, f := range p.all {
		f.Close()
	}
}

// environment is ours without what is the playground's own, which may be secret.
func environment(own []string) []string {
	var passed []string
	for _, variable := range own {
		if !strings.HasPrefix(variable, "PLAYGROUND_") {
			passed = append(passed, variable)
		}
	}
	return passed
}

// serve owns all that reads from the process, until that is gone.
func (p *Process) serve(cmd *exec.Cmd, stdout, stderr, status *os.File) {
	defer close(p.done)
	var ended string
	var readers sync.WaitGroup
	readers.Go(func() { p.readOutput(stdout) })
	readers.Go(func() { p.readErrors(stderr) })
	readers.Go(func() { ended = p.readStatus(status) })
	failed := cmd.Wait()
	close(p.gone)
	readers.Wait()
	for _, f := range []*os.File{stdout, stderr, status, p.control} {
		f.Close()
	}
	p.mu.Lock()
	err, wanted := p.err, p.ending
	p.stdin.Close()
	p.mu.Unlock()
	switch {
	case err != nil || wanted:
	case ended != "":
		err = fmt.Errorf("%w: %s", ErrEnded, ended)
	default:
		err = fmt.Errorf("%w: its supervisor failed: %w", ErrEnded, failed)
	}
	p.config.Ended(err)
}

// fail ends the program for the first reason that is given.
func (p *Process) fail(err error) {
	p.mu.Lock()
	if p.err == nil && !p.ending {
		p.err = err
	}
	p.mu.Unlock()
	p.command(commandKill)
}

// say writes a message to the program. There are never so many that it has not read that
// the pipe is full.
func (p *Process) say(m Message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err = p.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%w: %w", ErrEnded, err)
	}
	return nil
}

// Acquire asks the program to take the lock, and returns what it says: acquired or failed.
// Lost is closed when it says later that it has lost the lock. One turn is to end before
// another one begins: a program that has not answered a release yet is asked when it has.
func (p *Process) Acquire(ctx context.Context, m Message) (said Message, lost <-chan struct{}, err error) {
	p.mu.Lock()
	before, releasing := p.turn, p.dialogue.stage == releasing
	p.mu.Unlock()
	if releasing {
		if _, err := p.answer(ctx, before); err != nil {
			return Message{}, nil, err
		}
	}
	t := &turn{answers: make(chan Message, 2), lost: make(chan struct{})}
	p.mu.Lock()
	p.dialogue.turn++
	p.dialogue.stage = acquiring
	m.Type, m.Turn = Acquire, p.dialogue.turn
	p.turn = t
	p.mu.Unlock()
	if err := p.say(m); err != nil {
		return Message{}, nil, err
	}
	said, err = p.answer(ctx, t)
	return said, t.lost, err
}

// Release asks the program to give the lock back, and returns what it says: released, lost,
// or failed.
func (p *Process) Release(ctx context.Context) (Message, error) {
	p.mu.Lock()
	t, holds := p.turn, p.dialogue.stage == holding
	if holds {
		p.dialogue.stage = releasing
	}
	m := Message{Type: Release, Turn: p.dialogue.turn}
	p.mu.Unlock()
	if holds { // else it has said lost, which is the answer
		if err := p.say(m); err != nil {
			return Message{}, err
		}
	}
	return p.answer(ctx, t)
}

func (p *Process) answer(ctx context.Context, t *turn) (Message, error) {
	select {
	case m := <-t.answers:
		return m, nil
	case <-p.gone:
		return Message{}, ErrEnded
	case <-ctx.Done():
		return Message{}, context.Cause(ctx)
	}
}

// Pause stops the program with all that it has started, and returns when they stand still.
func (p *Process) Pause() { p.command(commandPause) }

// Resume lets it go on.
func (p *Process) Resume() { p.command(commandResume) }

// Kill ends the program at once, and returns when nothing of it is left.
func (p *Process) Kill() {
	p.mu.Lock()
	p.ending = true
	p.mu.Unlock()
	p.command(commandKill)
	<-p.gone
}

// Close lets the program close its session and end, as its input does; when ctx ends before
// it has, it is killed. It returns when all has been told.
func (p *Process) Close(ctx context.Context) {
	p.mu.Lock()
	p.ending = true
	p.stdin.Close()
	p.mu.Unlock()
	select {
	case <-p.gone:
	case <-ctx.Done():
		p.Kill()
	}
	<-p.done
}

// Gone is closed when nothing of the program is left.
func (p *Process) Gone() <-chan struct{} { return p.gone }
