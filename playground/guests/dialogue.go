package guests

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// What a program may say in a dialogue.
const (
	longestLine       = 64 << 10 // bytes
	messagesPerSecond = 1000
)

// A dialogue is a connection on which a guest's program says who it is and what it believes.
// It is beside the connection to ZooKeeper, so that no fault holds it up.
type dialogue struct {
	door *door
	conn net.Conn
	life context.Context // of the door
	name *name           // nil for one that is known by its session
	with *client.Guest   // whose session that is
	told bool            // it tells what it believes
}

// dialogue has a connection that has begun with some bytes until one side ends.
func (d *door) dialogue(life context.Context, conn net.Conn, begun []byte) {
	t := &dialogue{door: d, conn: conn, life: life}
	defer t.end()
	limiter := rate.NewLimiter(messagesPerSecond, messagesPerSecond)
	lines := bufio.NewScanner(io.MultiReader(bytes.NewReader(begun), conn))
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		answer, err := t.said(lines.Bytes())
		if err == nil && !limiter.Allow() {
			err = fmt.Errorf("%w: more than %d messages a second", program.ErrFlood, messagesPerSecond)
		}
		if err != nil {
			t.refuse(err)
			return
		}
		if answer.Type != "" && t.say(answer) != nil {
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		t.refuse(fmt.Errorf("%w: expected a line of at most %d bytes, got more", program.ErrNonsense, longestLine))
	}
}

func (t *dialogue) refuse(why error) {
	_ = t.say(program.Message{Type: program.Refused, Why: why.Error()}) // it may have gone
}

func (t *dialogue) say(m program.Message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = t.conn.Write(append(line, '\n'))
	return err
}

// said takes one line, and returns the answer, of no type for none.
func (t *dialogue) said(line []byte) (answer program.Message, err error) {
	var m program.Message
	if err := json.Unmarshal(line, &m); err != nil {
		return m, fmt.Errorf("%w: expected one JSON object on a line, such as {\"type\":\"join\",\"name\":\"NAME\"}: %w", program.ErrNonsense, err)
	}
	joined := t.name != nil || t.with != nil
	switch {
	case m.Type == program.Join && !joined:
		return t.join(m)
	case !joined:
		return m, fmt.Errorf("%w: it said %q, expected {\"type\":\"join\",\"name\":\"NAME\"} first", program.ErrNonsense, m.Type)
	case !t.told:
		return m, fmt.Errorf("%w: it said %q, expected that only after a join with \"tells\":true", program.ErrNonsense, m.Type)
	case m.Token < 0:
		return m, fmt.Errorf("%w: a token is not negative", program.ErrNonsense)
	}
	guest := t.guest()
	if guest == nil {
		return answer, nil // it takes part in no run
	}
	return answer, guest.Tell(m)
}

// join says who the program is.
func (t *dialogue) join(m program.Message) (answer program.Message, err error) {
	answer = program.Message{Type: program.Joined, Lock: t.door.lock()}
	switch {
	case m.Session != "":
		if t.with, err = t.door.withSession(m.Session); err != nil {
			return answer, err
		}
	default:
		if t.name, err = t.door.called(t.life, m.Name); err != nil {
			return answer, err
		}
		host, _, _ := net.SplitHostPort(t.conn.LocalAddr().String()) // a TCP address
		answer.Name, answer.Server = m.Name, net.JoinHostPort(host, strconv.Itoa(port(t.name.listener)))
	}
	if !m.Tells {
		return answer, nil
	}
	if err := t.tell(true); err != nil {
		return answer, err
	}
	t.told = true
	return answer, nil
}

// guest is whom the program speaks for; nil if that takes part in no run.
func (t *dialogue) guest() *client.Guest {
	current := t.door.running()
	if t.name == nil || current == nil {
		return t.with
	}
	return current.Named(t.name.name)
}

// tell notes whether the program tells from here on what it believes.
func (t *dialogue) tell(on bool) error {
	if t.name != nil {
		return t.name.tell(on, t.guest())
	}
	t.with.SetTells(on)
	return nil
}

func (t *dialogue) end() {
	if t.told {
		_ = t.tell(false) // only the beginning can fail
	}
}

// running is the run under way; nil if there is none.
func (d *door) running() *run.Run {
	current, _ := d.place.Current()
	if current == nil || current.State() != event.Running {
		return nil
	}
	return current
}

// withSession returns the guest that has a session.
func (d *door) withSession(session string) (*client.Guest, error) {
	id, err := strconv.ParseUint(session, 0, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: session %q, expected one such as 0x1000009c5df0000", program.ErrNonsense, session)
	}
	if current := d.running(); current != nil {
		if guest := current.Guest(int64(id)); guest != nil {
			return guest, nil
		}
	}
	return nil, fmt.Errorf("%w: no guest has session %s", client.ErrNotRunning, wire.SessionHex(int64(id)))
}

// lock is the path of the lock as a guest sees it.
func (d *door) lock() string {
	if current := d.running(); current != nil {
		for _, lane := range current.Describe().Lanes {
			if lane.Store == "" {
				return lane.Path[len(lane.Root):]
			}
		}
	}
	return ""
}
