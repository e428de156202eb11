package challenge

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/judge"
)

// ErrUnknown is wrapped by the error for a name that no challenge has.
var ErrUnknown = errors.New("there is no such challenge")

//go:embed sources/*.star
var sources embed.FS

// A Challenge is a lock with a flaw, and how it is known to be mended.
type Challenge struct {
	// Name is unique. Progress is kept by it.
	Name string `json:"name"`
	// Start is the source to begin with, and Solution is one that passes.
	Start    string `json:"start"`
	Solution string `json:"solution"`

	asks []asked
}

// asked is a trial of a challenge, with the properties that count there.
type asked struct {
	trial      string
	properties []judge.Property
}

var challenges = []Challenge{
	{Name: "flag", asks: []asked{
		{"calm", []judge.Property{judge.Safe, judge.Live}},
		{"crash-of-holder", []judge.Property{judge.Safe, judge.Live}}}},
	{Name: "wake-one", asks: []asked{
		{"long-queue", []judge.Property{judge.Safe, judge.Live, judge.Fair, judge.Cheap}},
		{"crash-of-holder", []judge.Property{judge.Safe, judge.Live}}}},
	{Name: "look-again", asks: []asked{
		{"slow-network", []judge.Property{judge.Safe, judge.Live}},
		{"expired-waiter", []judge.Property{judge.Safe, judge.Live, judge.Clean}},
		{"deleted-place", []judge.Property{judge.Safe, judge.Live, judge.Clean}}}},
	{Name: "lost-reply", asks: []asked{
		{"long-queue", []judge.Property{judge.Safe, judge.Live, judge.Cheap}},
		{"lost-reply-to-create", []judge.Property{judge.Safe, judge.Live, judge.Clean}},
		{"lost-reply-to-delete", []judge.Property{judge.Safe, judge.Live, judge.Clean}}}},
	{Name: "give-up", asks: []asked{
		{"deadline", []judge.Property{judge.Safe, judge.Live, judge.Clean, judge.Timely}},
		{"giving-up", []judge.Property{judge.Safe, judge.Live, judge.Clean}}}},
	{Name: "lost-session", asks: []asked{
		{"expired-holder", []judge.Property{judge.Safe, judge.Live, judge.Clean}},
		{"partition", []judge.Property{judge.Safe, judge.Live, judge.Clean}},
		{"pause", []judge.Property{judge.Safe, judge.Live, judge.Clean}}}},
	{Name: "readers", asks: []asked{
		{"readers-together", []judge.Property{judge.Safe, judge.Live, judge.Shared}},
		{"long-queue", []judge.Property{judge.Safe, judge.Live, judge.Fair, judge.Cheap}}}},
	{Name: "fence", asks: []asked{
		{"tokens", []judge.Property{judge.Safe, judge.Live, judge.Fenced}},
		{"partition", []judge.Property{judge.Safe, judge.Live}}}},
}

// All returns the challenges, in their order.
func All() []Challenge {
	all := slices.Clone(challenges)
	start := "flag-start"
	for i := range all {
		all[i].Start, all[i].Solution = source(start), source(all[i].Name)
		start = all[i].Name
	}
	return all
}

// Solutions returns a source that passes, by the name of its challenge.
func Solutions() map[string]string {
	all := make(map[string]string)
	for _, c := range All() {
		all[c.Name] = c.Solution
	}
	return all
}

// Find returns the challenge of that name. The error wraps [ErrUnknown] and names all.
func Find(name string) (Challenge, error) {
	var names []string
	for _, c := range All() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Challenge{}, fmt.Errorf("%w: %q, have %q", ErrUnknown, name, names)
}

// Trials are those that judge the challenge. They ask only about the properties that count.
func (c Challenge) Trials() []judge.Trial {
	var trials []judge.Trial
	for _, a := range c.asks {
		t, ok := judge.Find(a.trial)
		if !ok {
			panic("there is no trial " + a.trial) // a mistake above, which every test shows
		}
		t.Asks = a.properties
		trials = append(trials, t)
	}
	return trials
}

func source(name string) string {
	text, err := sources.ReadFile("sources/" + name + ".star")
	if err != nil {
		panic(err) // it is built in
	}
	return string(text)
}
