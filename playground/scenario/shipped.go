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
	var shipped Set
	files, err := shippedFiles.ReadDir("shipped")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := shippedFiles.ReadFile("shipped/" + file.Name())
		if err != nil {
			return nil, err
		}
		s, err := Parse(text, c)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", file.Name(), err)
		}
		shipped = append(shipped, s)
	}
	slices.SortFunc(shipped, func(a, b Scenario) int { return a.Order - b.Order })
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
