package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrNonsense is wrapped by complaints about what a program says.
var ErrNonsense = errors.New("the program does not keep to the dialogue")

// The types of messages.
const (
	Acquire  = "acquire"
	Release  = "release"
	Acquired = "acquired"
	Released = "released"
	Lost     = "lost"
	Failed   = "failed"
	At       = "at"
	Note     = "note"
	// These are of a guest's dialogue.
	Join    = "join"
	Joined  = "joined"
	Refused = "refused"
)

// A Message is one line of the dialogue. See the package's documentation.
type Message struct {
	Type string `json:"type"`
	Turn int    `json:"turn,omitempty"`
	// Mode is "read" or "write", and DeadlineMillis how long the attempt may take, on
	// acquire; 0 is as long as it takes.
	Mode           string `json:"mode,omitempty"`
	DeadlineMillis int64  `json:"deadlineMs,omitempty"`
	// Token is a fence, and Znode the program's own, as it sees the path, on acquired.
	Token int64  `json:"token,omitempty"`
	Znode string `json:"znode,omitempty"`
	Why   string `json:"why,omitempty"`
	Line  int    `json:"line,omitempty"`
	Text  string `json:"text,omitempty"`
	// Name is the guest's, on join and joined, and Server and Lock where it finds ZooKeeper and the lock,
	// on joined.
	Name string `json:"name,omitempty"`
	// Session names the guest by the session that it has, as ZooKeeper spells it, and Tells says
	// that its beliefs follow, on join.
	Session string `json:"session,omitempty"`
	Tells   bool   `json:"tells,omitempty"`
	Server  string `json:"server,omitempty"`
	Lock    string `json:"lock,omitempty"`
}

// parse reads the messages of one line, mostly one. Others of the same line count as well:
// a program that forgets an end of line is understood.
func parse(line []byte) ([]Message, error) {
	var all []Message
	decoder := json.NewDecoder(bytes.NewReader(line))
	for {
		var m Message
		err := decoder.Decode(&m)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err == nil {
			err = m.validate()
		}
		if err != nil {
			return all, fmt.Errorf("%w: expected one JSON object on a line, such as {\"type\":\"acquired\",\"turn\":1}, got %s: %w", ErrNonsense, excerpt(line), err)
		}
		all = append(all, m)
	}
}

// longestExcerpt is how much of a line a complaint repeats, in bytes.
const longestExcerpt = 120

func excerpt(line []byte) string {
	if len(line) > longestExcerpt {
		return fmt.Sprintf("%q and %d bytes more", line[:longestExcerpt], len(line)-longestExcerpt)
	}
	return fmt.Sprintf("%q", line)
}

// validate says what is wrong with a message of a program, whatever was asked before.
func (m Message) validate() error {
	switch m.Type {
	case Acquired, Released, Lost, Failed, Note:
	case At:
		if m.Line < 1 {
			return fmt.Errorf("at needs a line, from 1, got %d", m.Line)
		}
	case Acquire, Release:
		return fmt.Errorf("%s is for the program to read, not to say", m.Type)
	default:
		return fmt.Errorf("unknown type %q, there are acquired, released, lost, failed, at and note", m.Type)
	}
	if m.Turn < 0 || m.Token < 0 {
		return errors.New("turn and token are not negative")
	}
	return nil
}
