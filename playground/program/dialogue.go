package program

import "fmt"

// A dialogue is where the two sides stand: which turn is under way, and what the program
// may say next. It is not safe for concurrent use.
type dialogue struct {
	turn  int
	stage stage
	// crossed says that the program has said lost while it was being asked to release: it
	// may answer that, too.
	crossed bool
}

// A stage is how far a turn is.
type stage int

const (
	idle      stage = iota // no turn is under way
	acquiring              // the program is to acquire
	holding                // it has said that it holds
	releasing              // it is to release
)

// expected says, for people, what a program may say at each stage.
var expected = map[stage]string{
	idle:      "nothing but at and note, as no turn is under way",
	acquiring: "acquired or failed",
	holding:   "nothing but lost until it is to release",
	releasing: "released or lost",
}

// next are the stages that messages lead to, by the stage before.
var next = map[stage]map[string]stage{
	acquiring: {Acquired: holding, Failed: idle},
	holding:   {Lost: idle},
	releasing: {Released: idle, Lost: idle, Failed: idle},
}

// said takes what the program says, and returns whether it answers for the turn that is
// under way; or it says what was expected instead. It fills in a turn that is left out.
func (d *dialogue) said(m *Message) (answers bool, err error) {
	if m.Type == At || m.Type == Note {
		return false, nil
	}
	late := d.crossed && m.Type == Released && (m.Turn == 0 || m.Turn < d.turn || d.stage == idle)
	if late {
		d.crossed = false
		return false, nil
	}
	if m.Turn == 0 {
		m.Turn = d.turn
	}
	to, ok := next[d.stage][m.Type]
	switch {
	case m.Turn != d.turn:
		return false, fmt.Errorf("%w: it said %s for turn %d, expected turn %d", ErrNonsense, m.Type, m.Turn, d.turn)
	case !ok:
		return false, fmt.Errorf("%w: it said %s in turn %d, expected %s", ErrNonsense, m.Type, d.turn, expected[d.stage])
	}
	d.crossed = d.stage == releasing && m.Type == Lost
	d.stage = to
	return true, nil
}
