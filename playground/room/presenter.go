package room

import (
	"errors"
	"fmt"
	"github.com/zkplayground/zkplayground/playground/room/kept"
	"slices"
)

var (
	// ErrPresented is returned for what cannot be shown to a class.
	ErrPresented = errors.New("this cannot be presented")
	// ErrNoSeat is returned to the teacher who would present while a student drives.
	ErrNoSeat = errors.New("a student drives this class, take the run back first")
)

// Presented is what the presenter sees: the members who follow see the same. The room
// keeps it, so that who comes late stands where the class stands.
type Presented struct {
	// Seq counts the changes; 0 means that nothing has been presented yet.
	Seq int64 `json:"seq"`
	// Run is the id of the run that is looked at; At is where in it, in microseconds,
	// and Mode live, paused or playing, with Speed.
	Run   string  `json:"run"`
	At    int64   `json:"at"`
	Mode  string  `json:"mode"`
	Speed float64 `json:"speed"`
	// Lesson, Panel and Subject are the page's: what is read, open and chosen.
	Lesson  string `json:"lesson"`
	Panel   string `json:"panel"`
	Subject string `json:"subject"`
	// Section is the part of the lesson that the presenter showed last; Shown counts how
	// often one was shown, as the same one may be shown again.
	Section string `json:"section"`
	Shown   int64  `json:"shown"`
}

// The bounds of what a page may send.
const (
	longestName  = 200
	highestSpeed = 100
)

func (p Presented) validate() error {
	for _, name := range []string{p.Run, p.Lesson, p.Panel, p.Subject, p.Section} {
		if len(name) > longestName {
			return fmt.Errorf("%w: a name has %d bytes, may have %d", ErrPresented, len(name), longestName)
		}
	}
	if !slices.Contains([]string{"live", "paused", "playing"}, p.Mode) {
		return fmt.Errorf("%w: mode is %q, must be live, paused or playing", ErrPresented, p.Mode)
	}
	if p.At < 0 || p.Shown < 0 || p.Speed < 0 || p.Speed > highestSpeed {
		return fmt.Errorf("%w: at is %d and shown %d, must not be negative, and speed %g, must be 0 to %d", ErrPresented, p.At, p.Shown, p.Speed, highestSpeed)
	}
	return nil
}

// Present shows the members what a teacher, or the member who drives, sees. There is one
// presenter at a time: a teacher is none while a member drives.
func (c *Class) Present(p Person, what Presented) error {
	if err := what.validate(); err != nil {
		return err
	}
	return c.change(func() error {
		if c.driver != "" && c.driver != p.ID {
			return ErrNoSeat
		}
		what.Seq = c.presented.Seq + 1
		c.presented = what
		return nil
	})
}

// Presented is what the members are shown now.
func (c *Class) Presented() Presented {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.presented
}

// saved is what of it outlasts the program: where the class is in its lesson. Its run has
// ended with the program, and with that the instant and what was chosen there.
func (p Presented) saved() *kept.Presented {
	if p.Seq == 0 {
		return nil
	}
	return &kept.Presented{Lesson: p.Lesson, Panel: p.Panel, Section: p.Section, Shown: p.Shown}
}

// restoredPresented is what is presented after a start: the same place, without a run. What nobody
// could have presented is nothing.
func restoredPresented(s *kept.Presented) Presented {
	if s == nil {
		return Presented{}
	}
	p := Presented{Seq: 1, Mode: "live", Speed: 1, Lesson: s.Lesson, Panel: s.Panel, Section: s.Section, Shown: s.Shown}
	if p.validate() != nil {
		return Presented{}
	}
	return p
}
