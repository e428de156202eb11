package scenario

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknown is returned for a name that no shipped scenario has.
var ErrUnknown = errors.New("unknown scenario")

//go:embed shipped/*.json
var shippedFiles embed.FS

// A Set is scenarios by name, in the order to show them.
type Set []Scenario

// Shipped returns the scenarios that come with the program, the one to start
// with first. What they name must be in the catalogue.
func Shipped(c Catalogue) (Set, error) {
	order := []string{"herd-vs-predecessor", "herd", "predecessor", "ephemeral-crash", "read-write", "downgrade", "semaphore", "timed-lock", "lost-place", "timeouts", "revocation", "by-hand", "several-locks", "multi-lock",
		"two-holders", "two-holders-fenced", "late-write", "leader-loss", "stores",
		"lost-wakeup", "lost-reply", "flag-deadlock", "no-queue", "reentrant", "deadlock", "expired-holder", "dying-session", "own-node"}
	var shipped Set
	for _, name := range order {
		text, err := shippedFiles.ReadFile("shipped/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", name, err)
		}
		s, err := Parse(text, c)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", name, err)
		}
		shipped = append(shipped, s)
	}
	return shipped, nil
}

// Find returns the scenario called name.
func (set Set) Find(name string) (Scenario, error) {
	i := slices.IndexFunc(set, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		return Scenario{}, fmt.Errorf("%w %q, there are %s", ErrUnknown, name, strings.Join(set.Names(), ", "))
	}
	return set[i], nil
}

// Names returns the names in order.
func (set Set) Names() []string {
	names := make([]string, len(set))
	for i, s := range set {
		names[i] = s.Name
	}
	return names
}
