package zklock

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Each queue is written as its contenders in line: W and R with their numbers.
func TestBlocker(t *testing.T) {
	for _, c := range []struct {
		name string
		kind kind
		line []string
		own  int
		want int // index in the sorted line, -1 for nobody
	}{
		{"alone", mutexKind, []string{"lock-0000000005"}, 0, -1},
		{"first", mutexKind, []string{"lock-0000000007", "lock-0000000005"}, 1, -1},
		{"behind", mutexKind, []string{"lock-0000000007", "lock-0000000005", "lock-0000000006"}, 0, 1},
		{"by number, not by text", mutexKind, []string{"lock--000000001", "lock-0000000000"}, 1, 0},
		{"reader behind readers", readKind, spelled("R1 R2 R3"), 2, -1},
		{"reader behind a writer", readKind, spelled("W1 R2 R3"), 2, 0},
		{"reader behind two writers", readKind, spelled("W1 R2 W3 R4 R5"), 4, 2},
		{"reader before a writer", readKind, spelled("R1 W2 W3"), 0, -1},
		{"writer behind a reader", writeKind, spelled("W1 R2 W3"), 2, 1},
		{"writer first", writeKind, spelled("W1 R2"), 0, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			queue := queueOf(c.line, c.kind.markers)
			own := positionOf(queue, "/lock/"+c.line[c.own])
			got := -1
			if ahead := c.kind.blockers(queue, own); len(ahead) > 0 {
				got = slices.Index(queue, ahead[len(ahead)-1])
			}
			if got != c.want {
				t.Errorf("waits for %d of %v, want %d", got, queue, c.want)
			}
		})
	}
}

// spelled spells out names like "W1 R2".
func spelled(short string) (names []string) {
	var marker rune
	for _, r := range short {
		switch r {
		case 'R', 'W':
			marker = r
		case ' ':
		default:
			names = append(names, fmt.Sprintf("%s%010d", map[rune]string{'R': readMarker, 'W': writeMarker}[marker], r-'0'))
		}
	}
	return names
}

func TestMissingFromTheQueue(t *testing.T) {
	queue := queueOf([]string{"lock-0000000001", "stray"}, mutexKind.markers)
	if got := positionOf(queue, "/lock/lock-0000000002"); got != -1 {
		t.Errorf("position %d of a znode that is not there", got)
	}
	if len(queue) != 1 {
		t.Errorf("%d contenders, want 1", len(queue))
	}
}

// Near its end the counter gives out numbers twice: they are refused.
func TestSequenceExhausted(t *testing.T) {
	a := &acquisition{kind: mutexKind}
	for number, want := range map[string]error{
		"0000000000": nil, "2146435071": nil,
		"2146435072": ErrSequenceExhausted, "2147483647": ErrSequenceExhausted,
		"-000000001": ErrSequenceExhausted, "-2147483648": ErrSequenceExhausted,
	} {
		p := place{node: "/lock/" + protectedName(hexGUID, lockMarker) + number}
		if err := a.number(&p); !errors.Is(err, want) {
			t.Errorf("number %s: %v, want %v", number, err, want)
		}
	}
	if err := a.number(&place{node: "/lock/strange"}); err == nil {
		t.Error("a name that no server makes is taken")
	}
}
