// Package mechanism names what a zklock.Mutex does beyond the textbook recipe, so
// that a benchmark can switch each off and say what it is worth.
package mechanism

import (
	"fmt"
	"strings"
)

// A Set is some of the mechanisms.
type Set uint

// The mechanisms. Guess includes those that rest on a guess: Heir, and the
// reading of marks.
const (
	Guess          Set = 1 << iota // tell who will be just ahead from who was
	Heir                           // watch for the next znode of the second ahead
	Number                         // know by the next number that nobody is ahead
	Mark                           // note in the directory's data how far the queue has passed
	Breath                         // put the look-ahead off where turns are long
	LookAhead                      // watch the second ahead, and list when it goes
	OneTransaction                 // create, and count the children, in one request
	Frames                         // send own requests past go-zookeeper's queues
	Brief                          // list without the directory's metadata
	OwnWatch                       // watch the own znode
	Span                           // make the contexts of an acquisition only when asked for
	Reminder                       // one timer for all leases of a session
	Deadline                       // set a connection's deadlines once in a while
)

var names = []string{"guess", "heir", "number", "mark", "breath", "look-ahead", "one-transaction", "frames", "brief", "own-watch", "span", "reminder", "deadline"}

// Parse reads names separated by plus signs.
func Parse(text string) (set Set, err error) {
	for _, name := range strings.Split(text, "+") {
		found := false
		for i, known := range names {
			if name == known {
				set, found = set|1<<i, true
			}
		}
		if !found {
			return 0, fmt.Errorf("no mechanism %q, there are %s", name, strings.Join(names, ", "))
		}
	}
	return set, nil
}

// Has reports whether all of others are in s.
func (s Set) Has(others Set) bool { return s&others == others }
