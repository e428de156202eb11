package guests_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// tell says a line that has no answer.
func (s *speaker) tell(line string) {
	s.Helper()
	_, err := s.Write([]byte(line + "\n"))
	s.must(err)
}

// verdict is the newest of a check.
func (l *log) verdict(check string) (verdict event.Verdict, why string) {
	for _, v := range l.Summary().Lanes[0].Verdicts {
		if v.Check == check {
			return v.Verdict, v.Why
		}
	}
	return "", ""
}

// TestGuestTellsWhatItBelieves: go-zookeeper's lock does not notice that its znode is gone. Two
// programs that tell what they believe show that they hold at once; while one did not tell, nobody
// could say.
func TestGuestTellsWhatItBelieves(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 1)
	run.untilKind(event.LockReleased, 1)
	h.must(run.Inject(h.within(), scenario.Fault{Name: "close", Client: 1}))
	run.untilKind(event.SessionClosed, 1)

	first, second := h.speak(room.Main), h.speak(room.Main)
	one := h.connected(first.say(`{"type":"join","name":"one","tells":true}`).Server)
	run.untilKind(event.ProgramTells, 2)
	two := h.connected(h.address(room.Main)) // which has no name
	joined := second.say(fmt.Sprintf(`{"type":"join","session":"%s","tells":true}`, wire.SessionHex(two.SessionID())))
	if joined.Type != program.Joined {
		t.Fatalf("joined: %+v", joined)
	}
	run.untilKind(event.ProgramTells, 3)

	h.must(zk.NewLock(one, "/lock", zk.WorldACL(zk.PermAll)).Lock())
	first.tell(`{"type":"acquired"}`)
	held := run.untilKind(event.LockAcquired, 2)
	if held.Path == "" || !strings.HasPrefix(held.Path, run.root()+"/lock/") {
		t.Errorf("acquired: %+v, want its znode", held)
	}
	if verdict, why := run.verdict("belief"); verdict == event.Undecided {
		t.Errorf("belief is undecided though all tell: %s", why)
	}
	h.must(run.Inject(h.within(), scenario.Fault{Name: "delete", Client: 2}))
	h.must(zk.NewLock(two, "/lock", zk.WorldACL(zk.PermAll)).Lock())
	second.tell(`{"type":"acquired","token":7}`)
	if e := run.untilKind(event.LockAcquired, 3); e.Token != 7 {
		t.Errorf("acquired: %+v", e)
	}
	run.untilKind(event.BeliefConflict, 0)
	if verdict, why := run.verdict("belief"); verdict != event.Violated {
		t.Errorf("belief %s: %s", verdict, why)
	}
	second.tell(`{"type":"note","text":"so far"}`)
	run.untilKind(event.ProgramWrote, 3)
	second.tell(`{"type":"released"}`)
	run.untilKind(event.LockReleased, 3)
	second.tell(`{"type":"lost"}`) // what it held no more
	first.tell(`{"type":"lost","why":"my znode is gone"}`)
	if e := run.untilKind(event.LockLost, 2); !strings.Contains(e.Why, "my znode is gone") {
		t.Errorf("lost: %+v", e)
	}
	first.tell(`{"type":"acquired"}`)
	run.untilKind(event.LockAcquired, 2)
	first.Close()
	run.untilKind(event.ProgramSilent, 2) // and what it believes nobody knows now
	one.Close()
	two.Close()
	run.finish()
}

// TestArmedForGuests: that a guest waits its frames show; that it holds only itself can tell, so
// nothing is armed for that as long as it does not.
func TestArmedForGuests(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 1)
	said := h.speak(room.Main)
	conn := h.connected(said.say(`{"type":"join","name":"one","tells":true}`).Server)
	silent := h.connected(h.address(room.Main))
	run.untilKind(event.NoteJoined, 3)
	expire := scenario.Fault{Name: "expire", Client: 3, When: "hold"}
	if err := run.Inject(h.within(), expire); !errors.Is(err, client.ErrImpossible) || !strings.Contains(err.Error(), "does not tell") {
		t.Errorf("at a hold that is not told: %v", err)
	}
	expire.When = "wait"
	h.must(run.Inject(h.within(), expire))
	h.must(run.Inject(h.within(), scenario.Fault{Name: "delete", Client: 2, When: "hold"}))
	h.must(zk.NewLock(conn, "/lock", zk.WorldACL(zk.PermAll)).Lock())
	said.tell(`{"type":"acquired"}`)
	run.untilKind(event.FaultTriggered, 2)
	_, err := silent.Create("/lock/lock-", nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	h.must(err)
	_, _, _, err = silent.ChildrenW("/lock") // its session ends as soon as it waits
	h.must(err)
	run.untilKind(event.FaultTriggered, 3)
	conn.Close()
	silent.Close()
	run.finish()
}

// TestGuestSaysNonsense: it is told what was expected, and the guest goes on untold.
func TestGuestSaysNonsense(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 1)
	for lines, want := range map[string]string{
		`{"type":"acquired"}`: "first",
		`{"type":"join","name":"a"}` + "\n" + `{"type":"acquired"}`:                        "tells",
		`{"type":"join","name":"b","tells":true}` + "\n" + `{"type":"acquire"}`:            "acquired, released, lost or note",
		`{"type":"join","session":"0x12","tells":true}`:                                    "no guest has session",
		`{"type":"join","name":"c","tells":true}` + "\n" + strings.Repeat("a", 99):         "one JSON object",
		strings.Replace(`{"type":"note","text":"X"}`, "X", strings.Repeat("x", 70_000), 1): "65536 bytes",
	} {
		s := h.speak(room.Main)
		if strings.Contains(lines, `"b"`) { // it takes part
			conn := h.connected(h.named("b"))
			defer conn.Close()
		}
		s.tell(lines)
		m := s.answer()
		for m.Type == program.Joined {
			m = s.answer()
		}
		if m.Type != program.Refused || !strings.Contains(m.Why, want) {
			t.Errorf("%.60s: %+v, want %q", lines, m, want)
		}
	}
	run.finish()
}

// TestTellingAgain: a second connection cannot speak for a name beside the first one, and can
// after it.
func TestTellingAgain(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 1)
	const join = `{"type":"join","name":"one","tells":true}`
	first := h.speak(room.Main)
	conn := h.connected(first.say(join).Server)
	defer conn.Close()
	run.untilKind(event.ProgramTells, 2)
	if m := h.speak(room.Main).say(join); m.Type != program.Refused || !strings.Contains(m.Why, "another connection") {
		t.Errorf("a second connection: %+v", m)
	}
	first.Close()
	run.untilKind(event.ProgramSilent, 2)
	again := h.speak(room.Main)
	again.say(join)
	run.untilKind(event.ProgramTells, 2)
	again.tell(`{"type":"acquired"}`)
	again.tell(`{"type":"acquired"}`)
	if m := again.answer(); m.Type != program.Refused || !strings.Contains(m.Why, "expected released or lost") {
		t.Errorf("acquired twice: %+v", m)
	}
	run.finish()
}
