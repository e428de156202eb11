package judge

import (
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A Trial is a run in which a right lock shows what it is.
type Trial struct {
	// Name is what people type, and Sentence says what happens.
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
	// Asks are the properties that are judged.
	Asks []Property `json:"asks"`
	// Servers is how many servers the trial needs of its own, because it breaks them; 0 for
	// none: it can share one with others, and use somebody else's.
	Servers int `json:"servers,omitempty"`
	// Counter, if it is not 0, is where the sequence numbers of the lock directory begin.
	Counter int32 `json:"counter,omitempty"`
	// Scenario is what the run does, but for its seed and the faults.
	Scenario scenario.Scenario `json:"-"`
	// Faults are injected after the programs have begun, in the order of their times.
	Faults []Fault `json:"-"`
}

// A Fault is one that a trial injects. A client of 0 is who holds then;
// anyGone are all whose processes are gone, and inTheMiddle is the first
// of at least two clients that wait, or the only one beside a holder if there are two clients.
type Fault struct {
	// After is when, after each client has a session and one of them has held.
	After time.Duration
	scenario.Fault
}

const (
	anyGone     = -1
	inTheMiddle = -2
)

// calm is when the last fault is over, after the programs have begun.
func (t Trial) calm() (last time.Duration) {
	for _, f := range t.Faults {
		last = max(last, f.After+time.Duration(f.For))
	}
	return last
}

// With is the trial with so many clients, and without the faults of others.
func (t Trial) With(clients int) Trial {
	t.Scenario.Clients = clients
	t.Faults = slices.DeleteFunc(slices.Clone(t.Faults), func(f Fault) bool { return f.Client > clients })
	t.Scenario.Each = slices.DeleteFunc(slices.Clone(t.Scenario.Each), func(p scenario.ClientPlan) bool { return p.Client > clients })
	return t
}

// limit is how long a client waits for the lock before it gives up; 0 for as long as it takes.
func (t Trial) limit(client int) time.Duration {
	for _, p := range t.Scenario.Each {
		if p.Client == client {
			return time.Duration(p.Timeout)
		}
	}
	return 0
}

// impatient says whether a client gives up after a while, and so may never get the lock.
func (t Trial) impatient(client int) bool { return t.limit(client) > 0 }

// session is the session timeout of most trials: long enough for a machine that is busy,
// and short enough that one that has ended is soon seen.
const session = 2 * time.Second

// session is the trial's session timeout, in microseconds.
func (t Trial) session() int64 { return micros(time.Duration(t.Scenario.Session)) }

// Trials returns those for every lock, in the order in which to show them.
func Trials() []Trial { return slices.Clone(trials) }

// ClaimTrials returns those for locks that claim more: that readers share them, that they
// keep a deadline, or that they have tokens.
func ClaimTrials() []Trial { return slices.Clone(claimTrials) }

// Find returns the trial of that name.
func Find(name string) (Trial, bool) {
	for _, t := range slices.Concat(trials, claimTrials) {
		if t.Name == name {
			return t, true
		}
	}
	return Trial{}, false
}

var (
	everything = []Property{Safe, Live, Fair, Cheap, Clean}
	underFault = []Property{Safe, Live, Clean}
)

var trials = []Trial{
	{Name: "calm", Sentence: "Nothing goes wrong.", Asks: everything, Scenario: plan(5, quick)},
	{Name: "crash-of-holder", Sentence: "The holder crashes, and is started again.", Asks: underFault, Scenario: plan(3, steady),
		Faults: []Fault{fault("crash", 0, time.Second), fault("start-again", anyGone, 2*time.Second)}},
	{Name: "crash-of-waiter", Sentence: "A client that waits crashes.", Asks: underFault, Scenario: plan(4, steady),
		Faults: []Fault{fault("crash", inTheMiddle, time.Second)}},
	{Name: "crash-of-all", Sentence: "All clients crash at once, and are started again.", Asks: underFault, Scenario: plan(3, steady),
		Faults: []Fault{fault("crash", 1, time.Second), fault("crash", 2, time.Second), fault("crash", 3, time.Second), fault("start-again", anyGone, 2*time.Second)}},
	{Name: "expired-holder", Sentence: "The session of the holder expires while it works on.", Asks: underFault, Scenario: plan(2, long),
		Faults: []Fault{fault("expire", 0, 500*time.Millisecond)}},
	{Name: "expired-waiter", Sentence: "The session of a client that waits expires while another one waits behind it: it is to queue up anew, in another session.", Asks: underFault, Scenario: plan(4, leisurely),
		Faults: []Fault{fault("expire", inTheMiddle, time.Second), fault("expire", inTheMiddle, 4*time.Second)}},
	{Name: "pause", Sentence: "The holder stands still for longer than its session lasts, and goes on.", Asks: underFault, Scenario: plan(2, outlasting),
		Faults: []Fault{lasting("pause", 500*time.Millisecond, 4*time.Second)}},
	{Name: "partition", Sentence: "The holder is cut off from ZooKeeper for longer than its session lasts.", Asks: underFault, Scenario: plan(2, long),
		Faults: []Fault{lasting("partition", 500*time.Millisecond, 6*time.Second)}},
	{Name: "lost-reply-to-create", Sentence: "The server makes a client's znode, and the reply is lost with the connection.", Asks: underFault, Scenario: plan(2, slowly),
		Faults: []Fault{losing("create", 1, 500*time.Millisecond), losing("create", 2, 2*time.Second)}},
	{Name: "lost-reply-to-delete", Sentence: "The server deletes a client's znode, and the reply is lost with the connection.", Asks: underFault, Scenario: plan(3, steady),
		Faults: []Fault{losing("delete", 1, 500*time.Millisecond), losing("delete", 2, 2*time.Second)}},
	{Name: "slow-network", Sentence: "Each message takes a while, so the znode ahead is often gone before it is watched.", Asks: []Property{Safe, Live, Fair, Clean}, Scenario: plan(2, hasty),
		Faults: []Fault{slow(1), slow(2)}},
	{Name: "deleted-znode", Sentence: "An operator deletes the znode of the holder.", Asks: underFault, Scenario: plan(2, long),
		Faults: []Fault{fault("delete", 0, 500*time.Millisecond)}},
	{Name: "deleted-place", Sentence: "An operator deletes the znode of a client that waits.", Asks: underFault, Scenario: plan(4, steady),
		Faults: []Fault{fault("delete", inTheMiddle, time.Second), fault("delete", inTheMiddle, 3*time.Second)}},
	{Name: "giving-up", Sentence: "A client in the middle of the queue gives up after a while, again and again.", Asks: underFault, Scenario: withImpatient(plan(4, steady), 2)},
	{Name: "long-queue", Sentence: "Seven clients want the lock at all times, so names that are sorted as a whole are out of order.", Asks: everything, Scenario: plan(7, quick)},
	{Name: "readers-and-writers", Sentence: "Some clients ask to read and some to write; a lock that knows no readers gives it to one at a time.", Asks: []Property{Safe, Live, Clean},
		Scenario: withReaders(plan(5, steady))},
	{Name: "restart", Sentence: "The server is restarted.", Asks: underFault, Servers: 1, Scenario: plan(3, steady),
		Faults: []Fault{fault("restart", 0, time.Second)}},
	{Name: "leader-killed", Sentence: "The leader of three servers is killed while the clients work.", Asks: underFault, Servers: 3, Scenario: plan(3, steady),
		Faults: []Fault{lasting("kill-leader", time.Second, 3*time.Second)}},
	{Name: "quorum-lost", Sentence: "Two of three servers are gone for longer than a client's session lasts, and come back.", Asks: underFault, Servers: 3, Scenario: withSession(plan(2, long), 2*session),
		Faults: []Fault{lasting("lose-quorum", time.Second, 9*time.Second)}},
	{Name: "counter-at-its-end", Sentence: "The sequence numbers of the directory pass 2,147,483,647 and become negative.", Asks: []Property{Safe, Live, Clean}, Servers: 1,
		Counter: 2147483643, Scenario: plan(4, steady)},
}

// A pace is how long clients hold the lock, in milliseconds.
type pace struct{ least, most int }

var (
	quick  = pace{5, 15}
	hasty  = pace{10, 200}
	brisk  = pace{80, 120}
	steady = pace{200, 400}
	// leisurely is so long that what happens to those who wait happens during a hold.
	leisurely = pace{600, 800}
	// slowly is so long that a wait and a hold outlast a session.
	slowly = pace{1500, 1800}
	// unhurried is so long that two holds are farther away than an attempt may be late.
	unhurried = pace{2500, 3000}
	// long is beyond all that a client can believe after its session has ended.
	long = pace{4500, 5000}
	// outlasting is so long that who stands still for longer than its session has time to learn
	// of it, and to work on.
	outlasting = pace{6300, 6800}
)

func (p pace) hold() scenario.Range {
	return scenario.Range{Min: millis(p.least), Max: millis(p.most)}
}

func plan(clients int, p pace) scenario.Scenario {
	return scenario.Scenario{
		Name: "trial", Title: "Your lock", Clients: clients, Session: scenario.Duration(session), Arrive: millis(200),
		Lanes: []scenario.Lane{{Name: lane, Title: "Your lock", Recipe: "program"}},
		Hold:  p.hold(), Think: scenario.Range{Max: millis(20)},
	}
}

// lane is the name of the only lane of a trial.
const lane = "yours"

func millis(n int) scenario.Duration { return scenario.Duration(time.Duration(n) * time.Millisecond) }

func fault(name string, client int, after time.Duration) Fault {
	return Fault{After: after, Fault: scenario.Fault{Name: name, Client: client}}
}

func lasting(name string, after, length time.Duration) Fault {
	f := fault(name, 0, after)
	f.For = scenario.Duration(length)
	return f
}

func losing(op string, client int, after time.Duration) Fault {
	f := fault("lose-reply", client, after)
	f.Op = op
	return f
}

func slow(client int) Fault {
	f := fault("slow", client, 0)
	f.Delay, f.Jitter = millis(40), millis(60)
	return f
}

// withSession has sessions outlive an outage at the servers for so long that clients can
// come back to them before they expire.
func withSession(s scenario.Scenario, timeout time.Duration) scenario.Scenario {
	s.Session = scenario.Duration(timeout)
	return s
}

// withReaders has clients ask to read as often as to write.
func withReaders(s scenario.Scenario) scenario.Scenario {
	s.Writers = 0.5
	return s
}

// withImpatient has a client wait for no longer than a holder holds.
func withImpatient(s scenario.Scenario, client int) scenario.Scenario {
	s.Each = []scenario.ClientPlan{{Client: client, Timeout: millis(300)}}
	return s
}
