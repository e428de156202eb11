package check

import (
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// untold are the guests and consoles that may hold a lock and do not tell: each has made
// a znode in a queue of the lane, or one elsewhere in the lane that is numbered, or, of a
// guest, goes with its session. What they believe nobody knows, so a check that reads beliefs does
// not hold beside them.
type untold struct {
	event.Lane
	consoles map[int]bool
	silent   map[int]bool
	told     map[int]bool // who tells
	made     map[int]bool // who has made a znode of a lock
}

func newUntold(l event.Lane) *untold {
	return &untold{Lane: l, consoles: make(map[int]bool), silent: make(map[int]bool), told: make(map[int]bool), made: make(map[int]bool)}
}

// apply takes the next event of the lane and says whether they are others now.
func (u *untold) apply(e *event.Event) bool {
	if u.Store != "" || e.Client <= u.Clients {
		return false
	}
	before := len(u.silent)
	switch e.Kind {
	case event.NoteJoined:
		u.consoles[e.Client] = e.Participant == event.Console
	case event.TreeCreated:
		if u.mayLock(e) {
			u.made[e.Client] = true
		}
	case event.LockAcquired, event.ProgramTells:
		u.told[e.Client] = true
	case event.ProgramSilent:
		delete(u.told, e.Client)
	case event.SessionClosed:
		if u.told[e.Client] { // to the end
			delete(u.made, e.Client)
		}
	}
	if u.made[e.Client] && !u.told[e.Client] {
		u.silent[e.Client] = true
	} else {
		delete(u.silent, e.Client)
	}
	return len(u.silent) != before
}

func (u *untold) mayLock(e *event.Event) bool {
	return inQueue(u.Lane, e.Path) || state.Numbered(e.Path) || !u.consoles[e.Client] && e.Session != ""
}

var (
	guestsUntold   = event.NewCode("guests-untold", "what {count} guest believes is not told|what {count} guests believe is not told")
	consolesUntold = event.NewCode("consoles-untold", "what {count} console believes is not told|what {count} consoles believe is not told")
)

// why says whose beliefs are not told; nil if there is nobody.
func (u *untold) why() *event.Reason {
	consoles := 0
	for client := range u.silent {
		if u.consoles[client] {
			consoles++
		}
	}
	var all []*event.Reason
	if guests := len(u.silent) - consoles; guests > 0 {
		all = append(all, guestsUntold.With(guests))
	}
	if consoles > 0 {
		all = append(all, consolesUntold.With(consoles))
	}
	if all == nil {
		return nil
	}
	return event.Several(all...)
}
