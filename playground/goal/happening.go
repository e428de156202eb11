package goal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A happening is a word for a sort of event, as an author writes it.
type happening struct {
	name  string
	where Pattern
	// anyone says that it is anybody's where an author does not say whose: it happens
	// to clients, or they tell it of themselves, which a reader at a console cannot.
	anyone bool
	// fields are what can be asked about it beside who it was by, and where.
	fields []string
}

// happenings are all of them. To add one is to add a line: the page needs none.
var happenings = []happening{
	{"created", reply("create"), false, []string{"path", "znode", "mode"}},
	{"changed", reply("setData"), false, []string{"path", "znode"}},
	{"read", reply("getData", "exists", "getChildren"), false, []string{"path", "znode", "watch"}},
	{"got", reply("getData"), false, []string{"path", "znode", "watch"}},
	{"listed", reply("getChildren"), false, []string{"path", "znode", "watch"}},
	{"refused", Pattern{Kind: event.WireReceived, Refused: true}, false, []string{"path", "znode", "error"}},
	{"not created", Pattern{Kind: event.WireReceived, Ops: []string{"create"}, Refused: true}, false, []string{"path", "znode", "mode", "error"}},
	{"not changed", Pattern{Kind: event.WireReceived, Ops: []string{"setData"}, Refused: true}, false, []string{"path", "znode", "error"}},
	{"not deleted", Pattern{Kind: event.WireReceived, Ops: []string{"delete"}, Refused: true}, false, []string{"path", "znode", "error"}},
	{"notified", reply("notification"), false, []string{"path", "znode", "type"}},
	{"not found", Pattern{Kind: event.WireReceived, Ops: []string{"getData", "exists", "getChildren"}, Refused: true, Err: "NoNode"}, false, []string{"path", "znode"}},
	{"deleted", reply("delete"), false, []string{"path", "znode"}},
	{"reply lost", Pattern{Kind: event.WireDropped}, true, []string{"path", "znode"}},
	{"gone with its session", deleted("close", "expiry"), true, []string{"path", "znode"}},
	{"expired", deleted("expiry"), true, []string{"path", "znode"}},
	{"session began", Pattern{Kind: event.SessionGranted}, false, nil},
	{"session resumed", Pattern{Kind: event.SessionResumed}, false, nil},
	{"session closed", Pattern{Kind: event.SessionClosed}, false, nil},
	{"session expired", Pattern{Kind: event.SessionRefused, Refused: true}, true, nil},
	{"session lost", Pattern{Kind: event.SessionLost}, true, nil},
	{"broken", Pattern{Kind: event.FaultInjected}, true, []string{"fault"}},
	{"healed", Pattern{Kind: event.FaultHealed}, true, []string{"fault"}},
	{"queued", Pattern{Kind: event.LockEnqueued}, true, []string{"path", "znode"}},
	{"waits", Pattern{Kind: event.LockWaiting}, true, []string{"path", "znode"}},
	{"woken", Pattern{Kind: event.LockWoken}, true, nil},
	{"acquired", Pattern{Kind: event.LockAcquired}, true, []string{"path", "znode"}},
	{"released", Pattern{Kind: event.LockReleased}, true, []string{"path", "znode"}},
	{"asked", Pattern{Kind: event.LockAsked}, true, []string{"path", "znode"}},
	{"lost", Pattern{Kind: event.LockLost}, true, []string{"path", "znode"}},
	{"gave up", Pattern{Kind: event.LockGaveUp}, true, []string{"because"}},
	{"written", Pattern{Kind: event.ResourceAccepted}, true, nil},
	{"write refused", Pattern{Kind: event.ResourceRefused}, true, nil},
	{"violated", Pattern{Kind: event.CheckChanged, Verdict: event.Violated, Or: event.CheckViolation}, true, []string{"check"}},
}

// reply is the good answer to a request. A request alone has done nothing yet.
func reply(ops ...string) Pattern { return Pattern{Kind: event.WireReceived, Ops: ops} }

func deleted(causes ...string) Pattern { return Pattern{Kind: event.TreeDeleted, Causes: causes} }

// modes are the kinds of znodes, as the flags of a create say them.
var modes = []string{"persistent", "ephemeral", "sequential", "ephemeral+sequential"}

// bys are whose an event may be.
var bys = []string{"you", "others", "anyone"}

// findHappening returns the one with the name, or an error that says which there are.
func findHappening(name string) (happening, error) {
	i := slices.IndexFunc(happenings, func(h happening) bool { return h.name == name })
	if i >= 0 {
		return happenings[i], nil
	}
	var names []string
	for _, h := range happenings {
		names = append(names, h.name)
	}
	if name == "" {
		return happening{}, wrong("", "event is missing, have %s", quoted(names))
	}
	return happening{}, wrong(name, "unknown event %q, have %s", name, quoted(names))
}

func quoted(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

// A Mistaken is an error in a goal. Text is what is wrong in it, where that is one word
// of the author's, so that its place can be found.
type Mistaken struct {
	Text string
	what string
}

func (m *Mistaken) Error() string { return m.what }

func wrong(text, format string, arguments ...any) error {
	return &Mistaken{Text: text, what: fmt.Sprintf(format, arguments...)}
}
