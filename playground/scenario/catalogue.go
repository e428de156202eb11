package scenario

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Catalogue lists what a scenario can name. The API serves it as it is.
type Catalogue struct {
	Faults  []FaultKind  `json:"faults"`
	Moments []MomentKind `json:"moments"`
	Recipes []RecipeKind `json:"recipes"`
	Checks  []CheckKind  `json:"checks"`
}

// A FaultKind describes one fault for people and for the parser.
type FaultKind struct {
	// Name is what scenarios and requests say; Title and Sentence are what people
	// read.
	Name     string `json:"name"`
	Title    string `json:"title"`
	Sentence string `json:"sentence"`
	// Target is what the fault is done to.
	Target Target `json:"target"`
	// Lasts says that the fault goes on until it is undone or the run ends. One
	// that does not last is done once and for all.
	Lasts bool `json:"lasts"`
	// Endless says that a fault that lasts goes on without a length, until it is
	// undone. Any other is over at once when it is given none.
	Endless bool `json:"endless,omitempty"`
	// Nodes is how many servers the ZooKeeper must have, 0 for any number.
	Nodes int `json:"nodes,omitempty"`
	// Arms says that the fault can be armed, to be injected at one of the moments.
	Arms bool `json:"arms,omitempty"`
	// UndoneBy names the fault that ends this one, if one does.
	UndoneBy string `json:"undoneBy,omitempty"`
	// Effects are what it does to the client; the log has them with each such fault.
	Effects []event.Effect `json:"effects,omitempty"`
	// Repeats says how the fault can come again and again; nil if it cannot.
	Repeats *Repetition `json:"repeats,omitempty"`
	// Mark is how it is drawn: an SVG path around the origin, 16 wide. Link is how the
	// link of its client is drawn while it lasts: "cut", "slow", "marked" or as always.
	Mark string `json:"mark,omitempty"`
	Link string `json:"link,omitempty"`
	// Parameters are what the fault takes besides its target.
	Parameters []Parameter `json:"parameters,omitempty"`
	// NeedsOne says that one of the parameters must be given, whichever.
	NeedsOne bool `json:"needsOne,omitempty"`
}

// A Repetition is a fault again and again: what people call that, and the seconds from
// one to the next to begin with.
type Repetition struct {
	Title   string `json:"title"`
	Seconds int    `json:"seconds"`
}

// A MomentKind describes a moment in a client's life that an armed fault can wait for.
type MomentKind struct {
	// Name is what requests say; Title and Sentence are what people read.
	Name     string `json:"name"`
	Title    string `json:"title"`
	Sentence string `json:"sentence"`
}

// A Target is what a fault is done to.
type Target string

// The targets.
const (
	TargetClient Target = "client"
	TargetServer Target = "server"
)

// A Parameter is something that a fault takes.
type Parameter struct {
	// Name is the field of [Fault] in JSON.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Unit is "ms" for a duration; empty for a word or a number.
	Unit string `json:"unit,omitempty"`
	// Choices are the values to choose from. A duration may have any other one too.
	Choices []string `json:"choices,omitempty"`
	// Default is a value to begin with. What is left out is none at all.
	Default string `json:"default,omitempty"`
	// Required says that the fault does nothing without it.
	Required bool `json:"required"`
}

// A RecipeKind describes one recipe.
type RecipeKind struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Sentence string `json:"sentence"`
	Capabilities
	// Code is what the recipe does, as pseudo-code.
	Code []Line `json:"code"`
}

// Capabilities are what a recipe can do, for all that have to know: what a scenario may ask
// of it, the plans of its clients, the lanes that it runs in, and the page.
type Capabilities struct {
	// Broken says that the recipe is the copy of a bug.
	Broken bool `json:"broken,omitempty"`
	// Shared says that readers hold the lock together.
	Shared bool `json:"shared,omitempty"`
	// NoQueue says that nobody has a place in a queue: whoever is the quickest holds.
	NoQueue bool `json:"noQueue,omitempty"`
	// NoZnode says that a holder has no znode of its own, hence no token.
	NoZnode bool `json:"noZnode,omitempty"`
	// Store is where the lock is, as in event.Lane; empty is ZooKeeper.
	Store string `json:"store,omitempty"`
	// Permits says that several may hold at once, as many as the lane has permits.
	Permits bool `json:"permits,omitempty"`
	// Threads says that the threads of a process share its session, and have a queue of
	// their own before they go to ZooKeeper.
	Threads bool `json:"threads,omitempty"`
	// Silent says that the recipe tells only acquisitions, releases and attempts
	// given up: how it queues and waits is derived from its client's frames.
	Silent bool `json:"silent,omitempty"`
	// Program says that the lock is a program that is not ours; see playground/program.
	Program bool `json:"program,omitempty"`
}

// A Line is one line of a recipe's pseudo-code. A client stands at the line that
// has its state, and of several at the one that has the request whose answer it
// waits for.
type Line struct {
	// Text is indented by two spaces for each loop around it.
	Text string `json:"text"`
	// At are the states of a client that stands at the line; none for a line
	// that takes no time.
	At []ClientState `json:"at,omitempty"`
	// Awaits are the requests that it may wait for meanwhile, by their names in
	// the log, and notification when it sleeps until a watch fires; empty when
	// the state alone tells.
	Awaits []string `json:"awaits,omitempty"`
	// Wrong says what is wrong with the line, where the recipe is the copy of a bug.
	Wrong string `json:"wrong,omitempty"`
}

// A ClientState is what a client believes that it does, as far as its recipe
// and its session tell; see static/js/model/client.js.
type ClientState string

// The states in which a client's program runs.
const (
	Connecting ClientState = "connecting"
	Idle       ClientState = "idle"
	Enqueued   ClientState = "enqueued"
	Waiting    ClientState = "waiting"
	Woken      ClientState = "woken"
	Holds      ClientState = "holds"
	Lost       ClientState = "lost"
	Expired    ClientState = "expired"
)

// ClientStates returns all of them.
func ClientStates() []ClientState {
	return []ClientState{Connecting, Idle, Enqueued, Waiting, Woken, Holds, Lost, Expired}
}

// A CheckKind describes one check; Violated says what has happened when it is violated.
type CheckKind struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Sentence string `json:"sentence"`
	Violated string `json:"violated"`
}

// Fault returns the kind of that name.
func (c Catalogue) Fault(name string) (FaultKind, bool) {
	i := slices.IndexFunc(c.Faults, func(k FaultKind) bool { return k.Name == name })
	if i < 0 {
		return FaultKind{}, false
	}
	return c.Faults[i], true
}

// BreaksServers says whether a fault is done to the servers.
func (c Catalogue) BreaksServers(name string) bool {
	kind, _ := c.Fault(name)
	return kind.Target == TargetServer
}

// repeating returns the names of the faults that can come again and again.
func (c Catalogue) repeating() []string {
	var names []string
	for _, k := range c.Faults {
		if k.Repeats != nil {
			names = append(names, k.Name)
		}
	}
	return names
}

// FaultNames returns the names of the faults on a target, or of all faults
// without one.
func (c Catalogue) FaultNames(on Target) []string {
	var names []string
	for _, k := range c.Faults {
		if on == "" || k.Target == on {
			names = append(names, k.Name)
		}
	}
	return names
}

// Lasting returns the names of the faults that may be given a length.
func (c Catalogue) Lasting() []string {
	var names []string
	for _, k := range c.Faults {
		if _, ok := k.takes("for"); ok {
			names = append(names, k.Name)
		}
	}
	return names
}

// recipe returns the recipe of that name.
func (c Catalogue) recipe(name string) (RecipeKind, bool) {
	i := slices.IndexFunc(c.Recipes, func(k RecipeKind) bool { return k.Name == name })
	if i < 0 {
		return RecipeKind{}, false
	}
	return c.Recipes[i], true
}

func (c Catalogue) recipeNames() []string {
	var names []string
	for _, k := range c.Recipes {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

func (c Catalogue) momentNames() []string {
	var names []string
	for _, k := range c.Moments {
		names = append(names, k.Name)
	}
	return names
}

func (c Catalogue) checkNames() []string {
	var names []string
	for _, k := range c.Checks {
		names = append(names, k.Name)
	}
	return names
}

// takes says whether the fault has a parameter of that name.
func (k FaultKind) takes(name string) (Parameter, bool) {
	i := slices.IndexFunc(k.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return k.Parameters[i], true
}

func (k FaultKind) parameterNames() []string {
	var names []string
	for _, p := range k.Parameters {
		names = append(names, p.Name)
	}
	return names
}

// Length is the parameter of the faults that last.
func Length() Parameter { return Parameter{Name: "for", Title: "For", Unit: "ms"} }
