package wire

import (
	"maps"
	"slices"
)

// OpNames returns the names that requests, their replies and notifications have
// in the log, sorted. A handshake, "connect", is not among them.
func OpNames() []string {
	return slices.Compact(slices.Sorted(maps.Values(opNames)))
}
