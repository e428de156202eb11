package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store/resp"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Fault is one thing that can be done to a client. It is described, and done,
// by this value alone: to add one, add it to describeFaults.
type Fault struct {
	scenario.FaultKind
	// begin brings about a fault that lasts: until its time is over, until it is
	// healed, and at most until the end of the run.
	begin func(*Participant, scenario.Fault) effect
	// may says why it cannot be begun on this participant, if so; nil: it always can.
	may func(*Participant) error
	// cutsOut says that nothing which the client sends arrives while it lasts, also what it
	// sends to an account.
	cutsOut bool
	// do does a fault that does not last. One of begin and do is set.
	do func(context.Context, *Participant, scenario.Fault) error
}

// The names that this program itself has to know.
const (
	Crash      = "crash"
	Heal       = "heal"
	StartAgain = "start-again"
	pause      = "pause"
	closeFault = "close"
)

// Faults returns what can be done to a client, in the order to show it.
func Faults() []Fault { return faults }

// faults is set by init, since what the faults do refers to them.
var faults []Fault

func init() { faults = describeFaults() }

// faultOf returns the fault of that name.
func faultOf(name string) (Fault, bool) {
	if i := slices.IndexFunc(faults, func(k Fault) bool { return k.Name == name }); i >= 0 {
		return faults[i], true
	}
	return Fault{}, false
}

// delays are what can be chosen of a delay, in milliseconds.
var delays = []string{"0", "100", "200", "400", "700", "1000", "2000"}

func describeFaults() []Fault {
	all := []Fault{
		{FaultKind: scenario.FaultKind{Name: pause, Title: "Pause",
			Sentence: "The process stands still, as in a long garbage collection; the network and the server go on.",
			Mark:     "M-3.5-5.5V5.5M3.5-5.5V5.5", Effects: []event.Effect{event.Excuses, event.Silences}},
			begin: pauseProcess, may: func(p *Participant) error { return p.owner.mayPause() }},
		{FaultKind: scenario.FaultKind{Name: Crash, Title: "Crash",
			Sentence: "The process is gone. Its session and its znode stay until the server times the session out.",
			Mark:     "M-5.5-5.5L5.5 5.5M5.5-5.5L-5.5 5.5", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}, Repeats: &scenario.Repetition{Title: "Crashes", Seconds: 8}},
			do: crash},
		{FaultKind: scenario.FaultKind{Name: closeFault, Title: "Close",
			Sentence: "The client closes its session in good order and is gone.",
			Mark:     "M-4-7V7M-4 1H4V7", Effects: []event.Effect{event.EndsProcess}},
			do: closeSession},
		{FaultKind: scenario.FaultKind{Name: "partition", Title: "Partition",
			Sentence: "Nothing passes between the client and ZooKeeper. Nothing is lost: what either sends arrives late, on heal.",
			Mark:     "M0-8V-3.5M0 8V3.5M-5 0L5-3M-5 3L5 0", Link: "cut", Effects: []event.Effect{event.Excuses, event.Silences}},
			begin: blocking(nothingPasses, event.Out, event.In), cutsOut: true},
		{FaultKind: scenario.FaultKind{Name: "partition-out", Title: "Partition out",
			Sentence: "What the client sends does not get through until it is healed, then it arrives late; the client still hears the server.",
			Mark:     "M0 8V-2M-3.5 1.5L0-2L3.5 1.5M-6-6H6", Link: "cut", Effects: []event.Effect{event.Excuses, event.Silences}},
			begin: blocking(nothingGetsOut, event.Out), cutsOut: true},
		{FaultKind: scenario.FaultKind{Name: "partition-in", Title: "Partition in",
			Sentence: "What the server sends does not get through until it is healed, then it arrives late; the server still hears the client.",
			Mark:     "M0-8V2M-3.5-1.5L0 2L3.5-1.5M-6 6H6", Link: "cut", Effects: []event.Effect{event.Excuses}},
			begin: blocking(nothingGetsIn, event.In)},
		{FaultKind: scenario.FaultKind{Name: "slow", Title: "Slow",
			Sentence: "Each message takes the delay each way, and up to the jitter more.",
			Mark:     "M-5-7H5L-5 7H5Z", Link: "slow", Effects: []event.Effect{event.Excuses}, NeedsOne: true,
			Parameters: []scenario.Parameter{
				{Name: "delay", Title: "Delay", Unit: "ms", Choices: delays, Default: "200"},
				{Name: "jitter", Title: "Jitter", Unit: "ms", Choices: delays, Default: "400"}}},
			begin: slow},
		{FaultKind: scenario.FaultKind{Name: "lose-reply", Title: "Lose a reply",
			Sentence: "The server does the client's next create or delete; the reply is lost, and the connection with it.",
			Mark:     "M-7 3L-4.5-4L-2 3L0-4L2 3L4.5-4L7 3M-7 6.5H7", Link: "marked",
			Parameters: []scenario.Parameter{{Name: "op", Title: "Request", Choices: []string{"create", "delete"}}}},
			begin: loseReply},
		{FaultKind: scenario.FaultKind{Name: "lose-request", Title: "Lose a request",
			Sentence: "The client's next create or delete is lost, and the connection with it; the server never hears of it.",
			Mark:     "M-7-3L-4.5 4L-2-3L0 4L2-3L4.5 4L7-3M-7-6.5H7", Link: "marked",
			Parameters: []scenario.Parameter{{Name: "op", Title: "Request", Choices: []string{"create", "delete"}}}},
			begin: loseRequest},
		{FaultKind: scenario.FaultKind{Name: "expire", Title: "Expire",
			Sentence: "The server ends the session now, behind the client's back.",
			Mark:     "M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6ZM0-3V0H3M-7 7L7-7", Repeats: &scenario.Repetition{Title: "Session expiries", Seconds: 12}},
			do: expire},
		{FaultKind: scenario.FaultKind{Name: "delete", Title: "Delete the znode",
			Sentence: "An operator deletes the client's newest znode.",
			Mark:     "M-6-6H6V6H-6ZM-2.5-2.5L2.5 2.5M2.5-2.5L-2.5 2.5", Effects: []event.Effect{event.DeletesNode}},
			do: deleteNode},
		{FaultKind: scenario.FaultKind{Name: StartAgain, Title: "Start again",
			Sentence: "A client that has crashed or closed begins again: a new process, with a session of its own.",
			Mark:     "M-4-6L6 0L-4 6Z", Effects: []event.Effect{event.StartsProcess}},
			do: startAgain},
		{FaultKind: scenario.FaultKind{Name: Heal, Title: "Heal",
			Sentence: "Everything that lasts on the client ends; what was held back arrives.",
			Mark:     "M-6 1L-2 5L6-5"},
			do: heal},
	}
	for i := range all {
		all[i].complete()
	}
	return all
}

// complete fills in what is the same for all.
func (k *Fault) complete() {
	k.Target = scenario.TargetClient
	k.Arms = k.Name != StartAgain && k.Name != Heal
	if k.begin != nil {
		k.Lasts, k.Endless, k.UndoneBy = true, true, Heal
		k.Parameters = append(k.Parameters, scenario.Length())
	}
}

var (
	nothingPasses  = event.NewCode("nothing-passes", "nothing passes the link; what is sent waits, and so do new connections")
	nothingGetsOut = event.NewCode("nothing-gets-out", "what the client sends does not get through; it still hears the server")
	nothingGetsIn  = event.NewCode("nothing-gets-in", "what the server sends does not get through; it still hears the client")
	takesTime      = event.NewCode("takes-time", "each frame takes {span delay} each way")
	takesJitter    = event.NewCode("takes-jitter", "each frame takes {span delay} each way, and up to {span jitter} more")
	standsStill    = event.NewCode("stands-still", "the process stands still; the network and the server go on")
	isHealed       = event.NewCode("is-healed", "it is healed")
)

// blocking blocks directions of the client's link.
func blocking(why *event.Code, directions ...event.Direction) func(*Participant, scenario.Fault) effect {
	return func(p *Participant, f scenario.Fault) effect {
		p.link.Block(f.Name, directions...)
		return effect{why: why.With(), undo: func() { p.link.Unblock(f.Name, directions...) }}
	}
}

// slow makes each frame of the client take its time. A link that is slower than
// that already does not become faster.
func slow(p *Participant, f scenario.Fault) effect {
	delay, jitter := time.Duration(f.Delay), time.Duration(f.Jitter)
	why := takesTime.With(delay)
	if jitter > 0 {
		why = takesJitter.With(delay, jitter)
	}
	p.link.Slow(delay, jitter)
	return effect{why: why, undo: func() { p.link.Slow(0, 0) }}
}

// jitterStream keeps what a client's jitter draws apart from what its plan draws.
const jitterStream = 1 << 32

// jitterOf draws the jitter of a client's link, as the seed and the client's number
// decide. Both directions of the link call it.
func jitterOf(seed int64, client int) func() float64 {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(uint64(seed), jitterStream|uint64(client)))
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return random.Float64()
	}
}

// pauseProcess stops the client's process: first its code, then what it reads and
// sends. When it goes on it writes what it was about to write before it looks at
// what has happened.
func pauseProcess(p *Participant, _ scenario.Fault) effect {
	p.owner.pause()
	p.link.Pause()
	return effect{why: standsStill.With(),
		undo: func() { p.link.Resume(); p.owner.resume() }}
}

// heal ends whatever lasts.
func heal(_ context.Context, p *Participant, _ scenario.Fault) error {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	names := p.active.names()
	if len(names) == 0 {
		return fmt.Errorf("%w: nothing lasts on client %d", ErrImpossible, p.number)
	}
	for _, name := range names {
		p.heal(name, isHealed.With())
	}
	return nil
}

// injected is the event that f was done to the client.
func (p *Participant) injected(f scenario.Fault, why *event.Reason) event.Event {
	kind, _ := faultOf(f.Name)
	return event.Event{Kind: event.FaultInjected, Lane: p.lane, Client: p.number,
		Fault: f.Name, Effects: kind.Effects, For: f.For.Milliseconds(), Reason: why}
}

var (
	nextReplyLost   = event.NewCode("next-reply-lost", "the next reply to a {request} is lost with its connection: the server will have done it")
	replyLost       = event.NewCode("reply-lost", "the reply to a {request} was lost; the client does not know what became of it")
	nextRequestLost = event.NewCode("next-request-lost", "the next {request} is lost with its connection: the server will not hear of it")
	requestLost     = event.NewCode("request-lost", "a {request} was lost; the client does not know what became of it")
)

// loseReply has the client's link lose the next reply to a create or a delete, and
// is over with that.
func loseReply(p *Participant, f scenario.Fault) effect {
	request := "" // whose reply was lost; to be read once it was
	loss := p.link.LoseReply(func(reply *wire.Frame) bool {
		if reply.Code != 0 || reply.Err != "" {
			return false // it was not done
		}
		request = asked(reply.Request, f.Op)
		return request != ""
	})
	return losing(loss, nextReplyLost, f, func() *event.Reason { return replyLost.With(request) })
}

// loseRequest is loseReply of the request itself.
func loseRequest(p *Participant, f scenario.Fault) effect {
	lost := "" // to be read once it was
	loss := p.link.LoseRequest(func(request *wire.Frame) bool {
		lost = asked(request, f.Op)
		return lost != ""
	})
	return losing(loss, nextRequestLost, f, func() *event.Reason { return requestLost.With(lost) })
}

func losing(loss *link.Loss, next *event.Code, f scenario.Fault, lost func() *event.Reason) effect {
	awaited := f.Op
	if awaited == "" {
		awaited = "create or delete"
	}
	return effect{why: next.With(awaited), undo: loss.Cancel, over: loss.Done(), ended: lost}
}

// asked returns what a request creates or deletes, by itself or in a multi, if
// that is op; empty if it does not. An empty op is either.
func asked(request *wire.Frame, op string) string {
	changes := []string{"create", "delete"}
	if op != "" {
		changes = []string{op}
	}
	if slices.Contains(changes, request.Op) || slices.Contains(changes, resp.Changes(request.Op)) {
		return request.Op
	}
	i := slices.IndexFunc(request.Ops, func(sub event.SubOp) bool { return slices.Contains(changes, sub.Op) })
	if request.Op != "multi" || i < 0 {
		return ""
	}
	return request.Ops[i].Op
}
