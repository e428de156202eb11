package queue

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// named returns the names of contenders like "L1 W2": a lock's, a reader's, a
// writer's or a permit's, and its number.
func named(line string) (names []string) {
	for short := range strings.FieldsSeq(line) {
		names = append(names, kindOf(short).Marker+fmt.Sprintf("%010d", int(short[1]-'0')))
	}
	return names
}

// short is the opposite of named.
func short(contenders []Contender) string {
	var all []string
	for _, c := range contenders {
		letter := map[string]string{LockMarker: "L", ReadMarker: "R", WriteMarker: "W", PermitMarker: "P"}[c.Marker]
		all = append(all, fmt.Sprint(letter, c.Sequence))
	}
	return strings.Join(all, " ")
}

// kindOf returns the kind of a contender like "W1". Of a semaphore there are two
// permits.
func kindOf(short string) Kind {
	return map[byte]Kind{'L': Mutex, 'R': Reader, 'W': Writer, 'P': Semaphore(func() int { return 2 })}[short[0]]
}

func TestRead(t *testing.T) {
	kazoo := hexGUID + "__lock__0000000004"
	for name, c := range map[string]struct {
		children []string
		markers  []string
		last     int32
		want     []string
		foreign  string
	}{
		"none": {markers: mutexMarkers},
		"sorted by number": {
			children: []string{"lock-0000000007", "_c_" + hexGUID + "-lock-0000000006", "lock--000000001", "lock-0000000000"},
			markers:  mutexMarkers, last: math.MaxInt32,
			want: []string{"lock--000000001", "lock-0000000000", "_c_" + hexGUID + "-lock-0000000006", "lock-0000000007"},
		},
		"of one number, by name": {
			children: []string{"lock-0000000007", "_c_" + hexGUID + "-lock-0000000007"}, markers: mutexMarkers, last: 7,
			want: []string{"_c_" + hexGUID + "-lock-0000000007", "lock-0000000007"},
		},
		"up to a number": {children: named("L9 L8 L7"), markers: mutexMarkers, last: 8, want: named("L7 L8")},
		"both sides":     {children: named("W2 R1"), markers: rwMarkers, last: 9, want: named("R1 W2")},
		"another kind":   {children: named("L1 W2"), markers: mutexMarkers, last: 9, want: named("L1"), foreign: named("W2")[0]},
		"a permit":       {children: named("P1 L2"), markers: mutexMarkers, last: 9, want: named("L2"), foreign: named("P1")[0]},
		"the first of the foreign": {
			children: []string{"a-0000000002", "b-0000000001"}, markers: mutexMarkers, last: 9, want: []string{}, foreign: "a-0000000002",
		},
		"foreign behind the last": {children: []string{"x0000000009"}, markers: mutexMarkers, last: 5, want: []string{}, foreign: "x0000000009"},
		"foreign with a large negative number": {
			children: []string{"x-2147483648"}, markers: mutexMarkers, last: 5, want: []string{}, foreign: "x-2147483648",
		},
		"kazoo's lock": {children: []string{kazoo}, markers: mutexMarkers, last: 9, want: []string{}, foreign: kazoo},
		"kazoo's lock, which is recognized": {
			children: []string{kazoo}, markers: Mutex.With([]string{"__lock__"}).Markers, last: 9, want: []string{kazoo},
		},
		"a lease of kazoo's semaphore": {children: []string{hexGUID}, markers: mutexMarkers, last: 9, want: []string{}, foreign: hexGUID},
		"a guid with dashes":           {children: []string{dashGUID}, markers: mutexMarkers, last: 9, want: []string{}, foreign: dashGUID},
		"no contenders": {
			children: []string{"config", "lock-", "lock-1", hexGUID[1:], hexGUID + "0000x", ""}, markers: mutexMarkers, last: 9, want: []string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			contenders, foreign := Read(c.children, c.markers, c.last)
			var got []string
			for _, contender := range contenders {
				got = append(got, contender.Name)
			}
			if !slices.Equal(got, c.want) || foreign != c.foreign {
				t.Errorf("got %q, foreign %q; want %q, %q", got, foreign, c.want, c.foreign)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	contenders, _ := Read(append(named("L3 L1 L2"), "config"), mutexMarkers, 9)
	for name, want := range map[string]int{named("L1")[0]: 0, named("L3")[0]: 2, named("L4")[0]: -1, "config": -1, "": -1} {
		if got := Position(contenders, name); got != want {
			t.Errorf("Position(%q) = %d, want %d", name, got, want)
		}
	}
}

// Whoever is not among the blockers of a contender may hold beside it.
func TestBlockers(t *testing.T) {
	for _, c := range []struct{ queue, own, want string }{
		{"L1", "L1", ""},
		{"L1 L2 L3", "L1", ""},
		{"L1 L2 L3", "L3", "L1 L2"},
		{"R1 R2 R3", "R3", ""},
		{"W1 R2 R3", "R3", "W1"},
		{"W1 R2 W3 R4 R5", "R5", "W1 W3"},
		{"R1 W2 W3", "R1", ""},
		{"R1 R2 W3", "R2", ""},
		{"R1 W2 R3 W4", "W4", "R1 W2 R3"},
		{"W1 R2", "W1", ""},
		{"P1 P2 P3", "P1", ""},
		{"P1 P2 P3", "P2", ""},
		{"P1 P2 P3", "P3", "P1"},
		{"P1 P2 P3 P4", "P4", "P1 P2"},
	} {
		kind := kindOf(c.own)
		contenders, _ := Read(named(c.queue), kind.Markers, math.MaxInt32)
		before := short(contenders)
		got := short(kind.Blockers(contenders, Position(contenders, named(c.own)[0])))
		if got != c.want {
			t.Errorf("%s in %q waits for %q, want %q", c.own, c.queue, got, c.want)
		}
		if after := short(contenders); after != before {
			t.Errorf("%q became %q", before, after)
		}
	}
}

// Who comes next is behind everybody: TryLock asks for its blockers before there is
// a znode.
func TestBlockersOfANewcomer(t *testing.T) {
	for queue, want := range map[string]string{"": "", "L1 L2": "L1 L2"} {
		contenders, _ := Read(named(queue), mutexMarkers, math.MaxInt32)
		if got := short(Mutex.Blockers(contenders, len(contenders))); got != want {
			t.Errorf("behind %q it waits for %q", queue, got)
		}
	}
}
