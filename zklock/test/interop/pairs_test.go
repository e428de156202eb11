package interop

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

var interopTable = flag.String("interop-table", "", "`file` to write the table of pairs into")

// A pair is two libraries on one path, and what each is told of the other.
type pair struct {
	lock   string
	first  string
	second string
	join   func(*contest)
	counts counts // of the contest
}

const (
	nothing    = "nothing"
	tellKazoo  = "`extra_lock_patterns=[\"-lock-\"]`"
	byNumber   = "a driver that sorts by number, see `go doc ./zklock`"
	twoMarkers = "`WithExtraMarkers(\"__lock__\", \"__rlock__\")`"
)

// pairs are those that one path can have. A kind of lock that only one of them has, and
// two that cannot be told of each other, are not here.
var pairs = []pair{
	{lock: "mutex", first: "zklock: " + nothing, second: "curator: " + nothing, join: func(c *contest) {
		c.addMutex()
		c.addCurator("mutex", write)
	}},
	{lock: "mutex", first: "zklock: `WithExtraMarkers(\"__lock__\")`", second: "kazoo: " + tellKazoo, join: func(c *contest) {
		c.addMutex(zklock.WithExtraMarkers(kazooMarker))
		c.addKazoo("mutex", write)
	}},
	{lock: "mutex", first: "curator: " + byNumber, second: "kazoo: " + tellKazoo, join: func(c *contest) {
		c.addCurator("mutex-beside-kazoo", write)
		c.addKazoo("mutex", write)
	}},
	{lock: "read/write", first: "zklock: " + nothing, second: "curator: " + nothing, join: func(c *contest) {
		c.addRWMutex()
		c.addCurator("readwrite", read, write)
	}},
	{lock: "read/write", first: "zklock: " + twoMarkers,
		second: "kazoo 2.9 or later: `extra_lock_patterns=[\"__WRIT__\"]` to read, and `[\"__READ__\", \"__WRIT__\"]` to write", join: func(c *contest) {
			c.addRWMutex(zklock.WithExtraMarkers(kazooMarker, kazooReadMarker))
			if wait, err := findPython(c.T).readersWait(c.Context()); err != nil {
				c.Fatal(err)
			} else if wait {
				c.addKazoo("writer", write)
			} else {
				c.addKazoo("readwrite", read, write)
			}
		}},
	{lock: "semaphore", first: "zklock: a `Mutex` on `PATH/locks` around `Acquire` of a `Semaphore` on `PATH/leases`",
		second: "curator `InterProcessSemaphoreV2`: " + nothing, join: func(c *contest) {
			c.addSemaphore()
			c.addCurator("semaphore", write)
		}},
	{lock: "multi", first: "zklock: a `Mutex` for each path, locked one by one in Curator's order, and no `Multi`",
		second: "curator `InterProcessMultiLock`: " + nothing, join: func(c *contest) {
			c.addMutexes()
			c.addCurator("multi", write)
		}},
}

// Two libraries take turns on one path, whatever kind of lock both have.
func TestPairs(t *testing.T) {
	for i := range pairs {
		p := &pairs[i]
		t.Run(p.name(), func(t *testing.T) {
			c := newContest(t)
			p.join(c)
			c.run()
			p.counts = c.witness.counts
		})
	}
	table := tableOf(pairs, *interopFor)
	t.Log("\n" + table)
	if *interopTable != "" && !t.Failed() {
		if err := rewrite(*interopTable, table); err != nil {
			t.Error(err)
		}
	}
}

// sides are the libraries' names.
func (p *pair) sides() (names []string) {
	for _, side := range []string{p.first, p.second} {
		name, _, _ := strings.Cut(side, ":")
		name, _, _ = strings.Cut(name, " ")
		names = append(names, name)
	}
	return names
}

func (p *pair) name() string {
	return strings.ReplaceAll(p.lock, "/", "-") + "-" + strings.Join(p.sides(), "-")
}

// tableOf is what the pairs have come to, in Markdown.
func tableOf(pairs []pair, length time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Each pair contended for %v.\n\n", length)
	b.WriteString("| lock | one side: what it is told | the other side | acquisitions | overlaps | out of order | longest wait |\n|---|---|---|---|---|---|---|\n")
	for _, p := range pairs {
		sides := p.sides()
		order := fmt.Sprint(p.counts.overtaken)
		if p.lock == "semaphore" {
			order = "not asked"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d, %d | %d | %s | %v, %v |\n", p.lock, p.first, p.second,
			p.counts.of(sides[0]), p.counts.of(sides[1]), p.counts.overlaps, order,
			p.counts.waited[sides[0]].Round(time.Millisecond), p.counts.waited[sides[1]].Round(time.Millisecond))
	}
	return b.String()
}

// of is how often clients of a library entered.
func (c counts) of(name string) (n int) {
	for e, times := range c.entered {
		if library(e.who) == name {
			n += times
		}
	}
	return n
}

// Markers are around the table in its file.
const (
	tableBegin = "<!-- begin: make interop -->\n"
	tableEnd   = "<!-- end: make interop -->\n"
)

// rewrite puts a text between the markers of a file.
func rewrite(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return fmt.Errorf("%s has no line %q and after it %q", name, tableBegin, tableEnd)
	}
	return os.WriteFile(name, []byte(before+tableBegin+"\n"+text+"\n"+tableEnd+after), 0o666)
}
