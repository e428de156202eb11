package program

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/time/rate"
)

// What a program may say.
const (
	longestLine       = 64 << 10 // bytes
	messagesPerSecond = 1000
	linesPerSecond    = 100 // of its standard error that are told; more is counted
)

// readOutput reads what the program says.
func (p *Process) readOutput(r io.Reader) {
	limiter := rate.NewLimiter(messagesPerSecond, messagesPerSecond)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		messages, err := parse(lines.Bytes())
		for _, m := range messages {
			if !limiter.Allow() {
				p.fail(fmt.Errorf("%w: more than %d messages a second", ErrFlood, messagesPerSecond))
				break
			}
			if failed := p.take(m); failed != nil {
				err = failed
				break
			}
		}
		if err != nil {
			p.fail(err)
			break
		}
		if p.isFailed() {
			break
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		p.fail(fmt.Errorf("%w: expected a line of at most %d bytes, got more", ErrNonsense, longestLine))
	}
	_, _ = io.Copy(io.Discard, r) // it is being ended, and must not be held up by what it writes
}

func (p *Process) isFailed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err != nil
}

// take looks at one message: whether it fits, who is told of it, and who waits for it.
func (p *Process) take(m Message) error {
	p.mu.Lock()
	answers, err := p.dialogue.said(&m)
	turn, ending := p.turn, p.ending
	p.mu.Unlock()
	if ending {
		return nil // whatever it still says
	}
	if err != nil {
		return err
	}
	if !answers && m.Type != At && m.Type != Note {
		return nil // late, of a turn that is over
	}
	p.config.Said(m)
	switch m.Type {
	case At, Note:
	case Lost:
		close(turn.lost)
		turn.answers <- m
	default:
		turn.answers <- m
	}
	return nil
}

// readErrors tells what the program writes to its standard error.
func (p *Process) readErrors(r io.Reader) {
	limiter := rate.NewLimiter(linesPerSecond, linesPerSecond)
	lines := bufio.NewReaderSize(r, 4<<10)
	untold := 0
	for {
		line, long, err := lines.ReadLine()
		for more := long; more && err == nil; {
			_, more, err = lines.ReadLine() // the end of a long line
		}
		switch {
		case len(line) == 0:
		case !limiter.Allow():
			untold++
		default:
			if untold > 0 {
				p.config.Wrote(fmt.Sprintf("(%d lines more)", untold))
				untold = 0
			}
			p.config.Wrote(strings.ToValidUTF8(string(line), "\uFFFD"))
		}
		if err != nil {
			break
		}
	}
	if untold > 0 {
		p.config.Wrote(fmt.Sprintf("(%d lines more)", untold))
	}
}
