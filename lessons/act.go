package lessons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"strings"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// An Act is one thing that somebody does in a run: a line typed at the console, a fault
// injected, or the wait for something to happen. An author writes a line as a string, and
// the others as an object. One of Line, Break and Wait is set.
type Act struct {
	// Line is typed at a console of the run; after quit the next line is another one's.
	// What it says of the reader's own znodes is filled in by [FillOwn].
	Line  string
	Break *Break
	Wait  *goal.Pattern
	// Says tells people how a fault is injected on the page, or what to wait for.
	Says string
}

// A Break is a fault to inject; with You, into the client that the reader is.
type Break struct {
	You   bool
	Fault string // its name
	// Request is the fault as POST .../faults takes it; what that may have is known there.
	Request map[string]json.RawMessage
}

// UnmarshalJSON reads a break as an author writes it: a request, perhaps with you.
func (b *Break) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &b.Request); err != nil {
		return err
	}
	for name, is := range map[string]any{"you": &b.You, "fault": &b.Fault} {
		if given, ok := b.Request[name]; ok {
			if err := json.Unmarshal(given, is); err != nil {
				return err
			}
		}
	}
	delete(b.Request, "you")
	if b.You && (b.Request["client"] != nil || b.Request["lane"] != nil) {
		return errors.New("a break of you has no client and no lane: they are yours")
	}
	return nil
}

// MarshalJSON writes a break as it was read.
func (b Break) MarshalJSON() ([]byte, error) {
	written := maps.Clone(b.Request)
	if b.You {
		written["you"] = json.RawMessage("true")
	}
	return json.Marshal(written)
}

// writtenAct is an act that is no line, as an author writes it.
type writtenAct struct {
	Break *Break       `json:"break"`
	Wait  *goal.Wanted `json:"wait"`
	Says  string       `json:"says"`
}

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
	Own   bool // they have numbers of the reader's own znodes
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
			parts[last].Lines += "\n" + shown(act.Line)
			parts[last].Own = parts[last].Own || HasOwn(act.Line)
		default:
			parts = append(parts, told{Lines: shown(act.Line), Own: HasOwn(act.Line)})
		}
	}
	return parts
}

// ownMark stands in a line for the number of a znode of the reader's own, which only a run
// knows: the newest one whose path begins as the line does or, where there is none, the
// newest one in that directory.
var ownMark = regexp.MustCompile(`([^ ]*)\{(last|last but one)\}`)

// shown is a line as a reader sees it before there is a run.
func shown(line string) string { return ownMark.ReplaceAllString(line, "$1…") }

// HasOwn says whether a line has a mark.
func HasOwn(line string) bool { return ownMark.MatchString(line) }

// FillOwn returns a line with the numbers of the reader's own znodes, which own has in the
// order in which they were made. It is false if there is no such znode.
func FillOwn(line string, own []string) (string, bool) {
	filled := true
	line = ownMark.ReplaceAllStringFunc(line, func(found string) string {
		parts := ownMark.FindStringSubmatch(found)
		begin, place := parts[1], 1
		if parts[2] == "last but one" {
			place = 2
		}
		fits := withPrefix(own, begin)
		if len(fits) == 0 {
			fits = withPrefix(own, path.Dir(begin)+"/")
		}
		if len(fits) < place {
			filled = false
			return found
		}
		made := fits[len(fits)-place]
		return begin + number.FindString(made)
	})
	return line, filled
}

// number is what the server adds to the name of a sequential znode.
var number = regexp.MustCompile(`[0-9]{10}$`)

// withPrefix are the paths that begin so, and end in a number.
func withPrefix(all []string, prefix string) (some []string) {
	for _, each := range all {
		if strings.HasPrefix(each, prefix) && number.MatchString(each) {
			some = append(some, each)
		}
	}
	return some
}
