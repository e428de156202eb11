package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// ErrInvalid is wrapped by every complaint about a scenario.
var ErrInvalid = errors.New("bad scenario")

// The ranges of what a scenario may ask for.
const (
	MaxClients = 1000
	// MaxGuests is how many guests may join a lane, one after the other. Their numbers are
	// those after the clients', in the order in which they come. A reader of the log keeps
	// something of each.
	MaxGuests  = 1000
	MaxLanes   = 5
	MaxTurns   = 1000
	MaxThreads = 8
	MaxLocks   = 3
	MaxScript  = 10_000 // steps
	MaxDelay   = 5 * time.Second
	MinSession = 500 * time.Millisecond
	MaxSession = 60 * time.Second
	MaxTime    = time.Hour // of anything else that takes time
)

// A Scenario is what a run does, as data.
type Scenario struct {
	// Name is what people type; Title and Summary are what they read.
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	// Order is its place among the scenarios that come with the program, lowest first.
	Order int `json:"order,omitempty"`
	// Lesson is the slug of the lesson that explains the scenario, if any.
	Lesson string `json:"lesson,omitempty"`
	// Lanes are the recipes to be run with the same clients, 1 to MaxLanes.
	Lanes []Lane `json:"lanes"`
	// Clients is the number of clients in each lane, 0 to MaxClients. Without one all is left to
	// guests.
	Clients int `json:"clients"`
	// Session is the session timeout to ask for.
	Session Duration `json:"session"`
	// Delay is how long the link carries each frame, each way: at most MaxDelay
	// and a quarter of Session. It is the scenario's default in class; headless
	// runs default to none.
	Delay Duration `json:"delay"`
	// Arrive spreads the clients' first attempts over this time.
	Arrive Duration `json:"arrive"`
	// Hold and Think are how long a client holds the lock, and how long it
	// waits before it wants it again.
	Hold  Range `json:"hold"`
	Think Range `json:"think"`
	// Writers is the share of acquisitions that are for writing, 0 to 1, in
	// lanes whose recipe knows the difference.
	Writers float64 `json:"writers,omitempty"`
	// Turns is how often each client passes through the lock, at most MaxTurns;
	// 0 means for ever. Afterwards it keeps its session and wants nothing. An
	// attempt that fails is no turn.
	Turns int `json:"turns,omitempty"`
	// Each says what single clients do otherwise.
	Each []ClientPlan `json:"each,omitempty"`
	// Seed makes the plan.
	Seed int64 `json:"seed"`
	// Faults are injected on schedule.
	Faults []ScheduledFault `json:"faults,omitempty"`
	// Inject are faults that come again and again.
	Inject Injection `json:"inject,omitempty"`
	// Step begins the run in step mode: frames wait until they are delivered.
	Step bool `json:"step,omitempty"`
	// Script is done in step mode, step after step, at most MaxScript of them;
	// then the network flows, unless Step says otherwise.
	Script []Step `json:"script,omitempty"`
	// Decisive names the instants that show what the scenario is about. The page
	// stands still there, until the visitor goes on.
	Decisive []event.InstantName `json:"decisive,omitempty"`
	// Expect lists verdicts other than holds that the scenario is made to
	// reach, by the check's name or by LANE/CHECK, which goes first.
	Expect map[string]event.Verdict `json:"expect,omitempty"`
}

// What a lane's account may be.
const (
	// AccountUnfenced takes whatever is written.
	AccountUnfenced = "unfenced"
	// AccountToken refuses a token lower than one that it has seen.
	AccountToken = "token"
	// AccountGuard writes in one transaction with a check of the lock.
	AccountGuard = "guard"
)

// A Lane names a lane and its recipe.
type Lane struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Recipe string `json:"recipe"`
	// Account is how the account that the lock protects guards itself against
	// writers who have lost the lock. Empty means that there is no account.
	Account string `json:"account,omitempty"`
	// Permits is how many clients may hold the lock at once, 1 to MaxClients, for a
	// recipe that has permits. Leave it out for any other.
	Permits int `json:"permits,omitempty"`
	// Locks are the names of the lane's locks, where it has several: 2 to MaxLocks.
	Locks []string `json:"locks,omitempty"`
	// Source is the program of the lane, in Starlark, where its recipe is a program. Empty
	// means the one that the playground was given.
	Source string `json:"source,omitempty"`
}

// A ScheduledFault is a fault on schedule.
type ScheduledFault struct {
	// At is when, after the start of the run.
	At Duration `json:"at"`
	// Spread is how much later the seed may have it.
	Spread Duration `json:"spread,omitempty"`
	// Fault is what to inject. A client of 0 means whoever holds the lock then, or
	// next if nobody does; -1 that the seed draws one; a number above those of the clients
	// a guest, by the order in which guests come. Without a lane it is injected
	// in every lane. A fault of the servers has neither.
	Fault
}

// A Range is a duration picked evenly between two.
type Range struct {
	Min Duration `json:"min"`
	Max Duration `json:"max"`
}

// Parse reads a scenario from JSON, strictly, and validates it.
func Parse(text []byte, c Catalogue) (Scenario, error) {
	s, err := Decode(text)
	if err != nil {
		return Scenario{}, err
	}
	return s, s.Validate(c)
}

// Decode is [Parse] for a scenario that is yet to be completed.
func Decode(text []byte) (Scenario, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var s Scenario
	if err := decoder.Decode(&s); err != nil {
		return Scenario{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Scenario{}, fmt.Errorf("%w: something follows the scenario's closing brace", ErrInvalid)
	}
	return s, nil
}
