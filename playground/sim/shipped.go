package sim

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknownScenario is returned for a name that no shipped scenario has.
var ErrUnknownScenario = errors.New("unknown scenario")

//go:embed scenarios/*.json
var shippedFiles embed.FS

// A Catalogue is a set of scenarios by name, in the order to show them.
type Catalogue []Scenario

// Shipped returns the scenarios that come with the program, the one to start
// with first.
func Shipped() (Catalogue, error) {
	order := []string{"herd-vs-predecessor", "herd", "predecessor", "ephemeral-crash", "read-write",
		"two-holders", "two-holders-fenced",
		"lost-wakeup", "lost-reply", "flag-deadlock", "expired-holder", "dying-session", "own-node"}
	var shipped Catalogue
	for _, name := range order {
		text, err := shippedFiles.ReadFile("scenarios/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", name, err)
		}
		s, err := ParseScenario(text)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", name, err)
		}
		shipped = append(shipped, s)
	}
	return shipped, nil
}

// Find returns the scenario called name.
func (c Catalogue) Find(name string) (Scenario, error) {
	i := slices.IndexFunc(c, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		return Scenario{}, fmt.Errorf("%w %q, there are %s", ErrUnknownScenario, name, strings.Join(c.Names(), ", "))
	}
	return c[i], nil
}

// Names returns the names in order.
func (c Catalogue) Names() []string {
	names := make([]string, len(c))
	for i, s := range c {
		names[i] = s.Name
	}
	return names
}
