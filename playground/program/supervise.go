package program

import (
	"fmt"
	"io"
	"os"
	"time"
)

// What the playground writes to the supervisor of a program, a byte each. The end of that
// stream is commandKill: the playground is gone.
const (
	commandPause  = 'p'
	commandResume = 'r'
	commandKill   = 'k'
)

// What the supervisor writes: an acknowledgement of pause and resume, and last, after
// statusEnded, how the program has ended.
const (
	statusDone  = 'd'
	statusEnded = 'e'
)

// The files of the supervisor that are the playground's.
const (
	controlFile = 3
	statusFile  = 4
)

// mostProcesses is how many processes a program may have. A fork bomb has more before it
// is noticed, by countEvery.
const (
	mostProcesses = 100
	countEvery    = time.Second
)

// Supervise is the life of a supervisor: it runs the program that args name with its own
// standard input, output and error, pauses and ends it as the playground says, and returns
// when nothing of it is left. The playground's binary calls it for the command that
// Config.Supervisor names, with the arguments that follow.
func Supervise(args []string) {
	control, status := os.NewFile(controlFile, "control"), os.NewFile(statusFile, "status")
	fmt.Fprintf(status, "%c%s", statusEnded, supervise(args, control, status))
	status.Close()
}

func supervise(args []string, control io.Reader, status io.Writer) string {
	program, err := launch(args)
	if err != nil {
		return err.Error()
	}
	commands := make(chan byte)
	go readCommands(control, commands) // ends with this process
	count := time.NewTicker(countEvery)
	defer count.Stop()
	for {
		select {
		case ended := <-program.ended:
			program.killAll()
			return ended
		case <-count.C:
			if n := len(program.processes()); n > mostProcesses {
				program.killAll()
				return fmt.Sprintf("it had %d processes, the limit is %d", n, mostProcesses)
			}
		case command := <-commands:
			switch command {
			case commandPause:
				program.stopAll()
			case commandResume:
				program.resumeAll()
			default:
				program.killAll()
				return <-program.ended
			}
			_, _ = status.Write([]byte{statusDone}) // the playground may be gone
		}
	}
}

// readCommands passes on what the playground writes, and then its end.
func readCommands(control io.Reader, commands chan<- byte) {
	next := make([]byte, 1)
	for {
		if _, err := io.ReadFull(control, next); err != nil {
			next[0] = commandKill
		}
		commands <- next[0]
		if next[0] == commandKill {
			return
		}
	}
}

// command tells the supervisor to do something, and returns when it has, or is gone.
func (p *Process) command(c byte) {
	p.commanding.Lock()
	defer p.commanding.Unlock()
	if _, err := p.control.Write([]byte{c}); err != nil || c == commandKill {
		return // it is gone, or about to be
	}
	select {
	case <-p.acks:
	case <-p.gone:
	}
}

// readStatus passes on the supervisor's acknowledgements, and returns how the program has
// ended.
func (p *Process) readStatus(status io.Reader) string {
	next := make([]byte, 1)
	for {
		if _, err := io.ReadFull(status, next); err != nil {
			return "" // it was killed
		}
		if next[0] == statusEnded {
			ended, _ := io.ReadAll(status)
			return string(ended)
		}
		p.acks <- struct{}{}
	}
}
