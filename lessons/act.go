package lessons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// An Act is one thing that somebody does in a run: a line typed at the console, a fault
// injected, or the wait for something to happen. An author writes a line as a string, and
// the others as an object. One of Line, Break and Wait is set.
type Act struct {
	// Line is typed at a console of the run; after quit the next line is another one's.
	Line  string
	Break *Break
	Wait  *goal.Pattern
	// Says tells people how a fault is injected on the page, or what to wait for.
	Says string
}

// A Break is a fault to inject, as POST .../faults takes it; or, with You, into the
// client that the reader is.
type Break struct {
	You    bool   `json:"you,omitempty"`
	Client int    `json:"client,omitempty"`
	Lane   string `json:"lane,omitempty"`
	Fault  string `json:"fault"`
	For    string `json:"for,omitempty"`
	Delay  string `json:"delay,omitempty"`
	Jitter string `json:"jitter,omitempty"`
	Op     string `json:"op,omitempty"`
	When   string `json:"when,omitempty"`
}

// writtenAct is an act that is no line, as an author writes it.
type writtenAct struct {
	Break *Break       `json:"break"`
	Wait  *goal.Wanted `json:"wait"`
	Says  string       `json:"says"`
}

// actFor is the longest that a fault may be given: who tries it waits for that.
const actFor = time.Minute

// UnmarshalJSON reads an act as an author writes it.
func (a *Act) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &a.Line) == nil {
		if strings.TrimSpace(a.Line) == "" {
			return errors.New("a line to type is empty")
		}
		return nil
	}
	var written writtenAct
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&written); err != nil {
		return fmt.Errorf(`%w; an act is a line, or has break or wait, and says`, err)
	}
	a.Break, a.Says = written.Break, written.Says
	switch {
	case (written.Break == nil) == (written.Wait == nil):
		return errors.New("an act that is no line has break or wait")
	case written.Wait != nil:
		where, err := written.Wait.Pattern()
		a.Wait = &where
		return err
	case strings.TrimSpace(a.Says) == "":
		return errors.New("a break needs says: where to press, and what to choose")
	}
	return written.Break.check()
}

func (b *Break) check() error {
	if b.You && (b.Client != 0 || b.Lane != "") {
		return errors.New("a break of you has no client and no lane: they are yours")
	}
	for _, text := range []string{b.For, b.Delay, b.Jitter} {
		if text == "" {
			continue
		}
		if d, err := time.ParseDuration(text); err != nil || d < 0 || d > actFor {
			return fmt.Errorf("%q is no duration up to %v, as 5s", text, actFor)
		}
	}
	return nil
}

// MarshalJSON writes an act for the page, with what it waits for translated.
func (a Act) MarshalJSON() ([]byte, error) {
	if a.Line != "" {
		return json.Marshal(a.Line)
	}
	return json.Marshal(struct {
		Break *Break        `json:"break,omitempty"`
		Wait  *goal.Pattern `json:"wait,omitempty"`
	}{a.Break, a.Wait})
}

// told are acts as a reader is told them: lines that follow each other in one piece.
type told struct {
	Lines string
	Says  string
}

func tell(acts []Act) (parts []told) {
	for _, act := range acts {
		last := len(parts) - 1
		switch {
		case act.Line == "" && act.Says == "": // a wait that needs no words
		case act.Line == "":
			parts = append(parts, told{Says: act.Says})
		case last >= 0 && parts[last].Lines != "":
			parts[last].Lines += "\n" + act.Line
		default:
			parts = append(parts, told{Lines: act.Line})
		}
	}
	return parts
}
