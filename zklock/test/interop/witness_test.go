package interop

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A mode is how a lock is held. A mutex is held for writing.
type mode string

const (
	write mode = "write"
	read  mode = "read"
)

// maxViolations bounds what a witness keeps: the first few tell what is wrong.
const maxViolations = 20

// sequenceDigits is how many digits the server appends to a znode's name.
const sequenceDigits = 10

// A witness is told by every holder when it enters and when it leaves, and
// notes violations: what a lock must not let happen.
type witness struct {
	mu         sync.Mutex
	permits    int             // how many may write at once; in any order if it is more than one
	inside     map[string]mode // by holder
	newest     map[mode]int    // greatest number that has entered
	left       map[string]time.Time
	last       entry
	counts     counts
	violations []string
	changed    chan struct{} // closed at the next entry
}

// An entry is who entered, and how.
type entry struct {
	who  string
	mode mode
}

// A handover is two entries one after the other, by libraries and modes.
type handover struct{ from, to entry }

// counts is what a witness has counted.
type counts struct {
	entered   map[entry]int
	handovers map[handover]int
	shared    int // entries of a reader beside one of another library
	// Overlaps are holders too many at once, and overtaken entries out of order.
	overlaps, overtaken int
	// waited is the longest time from one turn of a client to its next, by libraries.
	waited map[string]time.Duration
}

func newWitness() *witness {
	return &witness{
		permits: 1,
		inside:  make(map[string]mode),
		newest:  map[mode]int{write: -1, read: -1},
		left:    make(map[string]time.Time),
		counts:  counts{entered: make(map[entry]int), handovers: make(map[handover]int), waited: make(map[string]time.Duration)},
		changed: make(chan struct{}),
	}
}

// enter notes that who holds the lock by the znode node.
func (w *witness) enter(who string, m mode, node string) error {
	number, err := sequence(node)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checkAlone(who, m)
	w.checkOrder(who, m, number)
	w.inside[who] = m
	w.newest[m] = max(w.newest[m], number)
	w.count(entry{who, m})
	if left, ok := w.left[who]; ok {
		w.counts.waited[library(who)] = max(w.counts.waited[library(who)], time.Since(left))
	}
	close(w.changed)
	w.changed = make(chan struct{})
	return nil
}

func (w *witness) count(e entry) {
	w.counts.entered[e]++
	if w.last.who != "" {
		w.counts.handovers[handover{w.last.ofLibrary(), e.ofLibrary()}]++
	}
	w.last = e
}

// ofLibrary returns the entry as one of any client of its library.
func (e entry) ofLibrary() entry { return entry{library(e.who), e.mode} }

// leave notes that who is about to release the lock.
func (w *witness) leave(who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.inside[who]; !ok {
		w.note("%s leaves and has not entered", who)
	}
	delete(w.inside, who)
	w.left[who] = time.Now()
}

// checkAlone finds those who must not be inside together.
func (w *witness) checkAlone(who string, m mode) {
	shared := false
	for _, other := range slices.Sorted(maps.Keys(w.inside)) {
		excludes := m == write || w.inside[other] == write
		if other == who || excludes && len(w.inside) >= w.permits {
			w.counts.overlaps++
			w.note("%s enters to %s while %s is there to %s", who, m, other, w.inside[other])
		}
		shared = shared || library(other) != library(who)
	}
	if shared {
		w.counts.shared++
	}
}

// checkOrder finds one who was overtaken: a writer by anybody, a reader by a
// writer. Those who are let in together may enter in any order.
func (w *witness) checkOrder(who string, m mode, number int) {
	for _, other := range []mode{write, read} {
		if m == read && other == read || w.permits > 1 {
			continue
		}
		if number <= w.newest[other] {
			w.counts.overtaken++
			w.note("%s enters to %s as number %d after number %d was there to %s", who, m, number, w.newest[other], other)
		}
	}
}

func (w *witness) note(format string, args ...any) {
	if len(w.violations) < maxViolations {
		w.violations = append(w.violations, fmt.Sprintf(format, args...))
	}
}

// await waits until done says so of what has been counted.
func (w *witness) await(ctx context.Context, done func(counts) bool) error {
	for {
		w.mu.Lock()
		ok, changed := done(w.counts), w.changed
		w.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// sequence returns the number at the end of a znode's path.
func sequence(node string) (int, error) {
	if len(node) < sequenceDigits {
		return 0, fmt.Errorf("%q has no number", node)
	}
	number, err := strconv.Atoi(node[len(node)-sequenceDigits:])
	if err != nil {
		return 0, fmt.Errorf("%q has no number: %w", node, err)
	}
	return number, nil
}
