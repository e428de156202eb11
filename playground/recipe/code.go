package recipe

import "github.com/zkplayground/zkplayground/playground/scenario"

// at are the states of a client that stands at a line.
type at = []scenario.ClientState

// looking is when a client looks at the queue.
var looking = at{scenario.Enqueued, scenario.Woken}

// Lines of pseudo-code that several recipes have.
var (
	Connect = scenario.Line{Text: "connect: the server grants a session", At: at{scenario.Connecting}}
	Think   = scenario.Line{Text: "think, until the lock is wanted", At: at{scenario.Idle}}
	Create  = scenario.Line{Text: "me = create dir/_c_<guid>-lock-, ephemeral, sequential",
		At: at{scenario.Idle}, Awaits: []string{"create"}}
	Find = scenario.Line{Text: "if the reply is lost: list dir, and find me by the guid",
		At: at{scenario.Idle}, Awaits: []string{"sync", "getChildren", "exists"}}
	Repeat = scenario.Line{Text: "repeat:"}
	List   = scenario.Line{Text: "  list dir, without a watch", At: looking}
	First  = scenario.Line{Text: "  if me is the lowest: it holds, leave the loop"}
	Ahead  = scenario.Line{Text: "  ahead = the znode just before me"}
	Watch  = scenario.Line{Text: "  read ahead and watch it; if it is gone: list again", At: looking, Awaits: []string{"getData", "notification"}}
	Sleep  = scenario.Line{Text: "  sleep until the watch fires", At: at{scenario.Waiting}}
	Work   = scenario.Line{Text: "work, and stop if the session is lost", At: at{scenario.Holds}}
	Delete = scenario.Line{Text: "delete me", At: at{scenario.Idle}, Awaits: []string{"delete"}}
	Again  = scenario.Line{Text: "if the session is lost: connect anew and start over",
		At: at{scenario.Lost, scenario.Expired}}
	// QueueLocally is the first level of a lock that has two.
	QueueLocally = scenario.Line{Text: "queue up in the process, until no thread of it is ahead", At: at{scenario.Idle}}
	// CreateMode and what follows are those of a queue that readers and writers share.
	CreateMode = scenario.Line{Text: "me = create dir/_c_<guid>-__READ__ or -__WRIT__, ephemeral, sequential",
		At: at{scenario.Idle}, Awaits: []string{"create"}}
	ToRead    = scenario.Line{Text: "  to read: ahead = the last writer before me"}
	ToWrite   = scenario.Line{Text: "  to write: ahead = the znode just before me"}
	NoneAhead = scenario.Line{Text: "  if there is none: it holds, leave the loop"}
	// Anew is Again where the program does not listen for the loss.
	Anew = scenario.Line{Text: "when the session turns out to be lost: connect anew", At: at{scenario.Lost, scenario.Expired}}
)
