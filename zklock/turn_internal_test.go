package zklock

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// A turn is told one fact after the other: the listing of a queue, in brackets,
// or the number of a znode that has gone, or "doubt", or a guess of those
// ahead, in braces, or "<3": that the third has been held and released. One that
// does not tell enough is followed by "?". L, W and R are a lock's, a writer's
// and a reader's.
func TestTurn(t *testing.T) {
	for _, c := range []struct {
		name, own, facts string
		want             string // to list, to hold, or the numbers to watch
	}{
		{"begins in doubt", "L1", "", "list"},
		{"alone", "L1", "[L1]", "hold"},
		{"those behind do not matter", "L1", "[L1 L2 L3]", "hold"},
		{"next", "L2", "[L1 L2]", "watch 1"},
		{"handed over", "L2", "[L1 L2] 1", "hold"},
		{"two ahead", "L3", "[L1 L2 L3]", "watch 2 1"},
		{"many ahead", "L5", "[L1 L2 L3 L4 L5]", "watch 4 3"},
		{"look-ahead", "L3", "[L1 L2 L3] 1", "list"},
		{"look-ahead shows the one ahead", "L3", "[L1 L2 L3] 1 [L2 L3]", "watch 2"},
		{"look-ahead, and then the hand-over", "L3", "[L1 L2 L3] 1 [L2 L3] 2", "hold"},
		{"look-ahead comes too late", "L3", "[L1 L2 L3] 1 [L3]", "hold"},
		{"the one ahead gives up", "L3", "[L1 L2 L3] 2", "list"},
		{"the one ahead gave up", "L3", "[L1 L2 L3] 2 [L1 L3]", "watch 1"},
		{"both have gone, the last first", "L3", "[L1 L2 L3] 2 1", "list"},
		{"both have gone, the first first", "L3", "[L1 L2 L3] 1 2", "list"},
		{"a stranger's going is nothing", "L3", "[L2 L3] 1", "watch 2"},
		{"told twice", "L3", "[L1 L2 L3] 1 [L2 L3] 1", "watch 2"},
		{"doubt", "L2", "[L1 L2] doubt", "list"},
		{"doubt outlives a hand-over", "L2", "[L1 L2] doubt 1", "list"},
		{"doubt of the first", "L1", "[L1] doubt", "list"},
		{"a listing ends doubt", "L2", "[L1 L2] doubt [L2]", "hold"},
		{"the own znode is missing", "L2", "[L1 L3]", "vanished"},
		{"the own znode goes missing", "L2", "[L1 L2] doubt [L1]", "vanished"},

		{"textbook watches one", "textbook L3", "[L1 L2 L3]", "watch 2"},
		{"textbook lists after each change", "textbook L2", "[L1 L2] 1", "list"},
		{"textbook holds by a listing", "textbook L2", "[L1 L2] 1 [L2]", "hold"},

		{"guess", "L5", "{L3 L4}", "watch 4 3"},
		{"a guess's last has gone", "L5", "{L3 L4} 4", "list"},
		{"a guess's first has gone", "L5", "{L3 L4} 3", "list"},
		{"a guess that was all wrong", "L5", "{L3 L4} 4 3", "list"},
		{"a guess knows only two", "L5", "{L3 L4} 3 [L1 L4 L5]", "watch 4 1"},

		{"a mark far behind both", "L5", "{L3 L4} 3 <1?", "list"},
		{"a mark just before both", "L5", "{L3 L4} 3 <2", "watch 4"},
		{"a mark, and then the hand-over", "L5", "{L3 L4} 3 <2 4", "hold"},
		{"a mark of the first", "L5", "{L3 L4} 3 <3", "watch 4"},
		{"a mark of the first, before its going is told", "L5", "{L3 L4} <3", "watch 4"},
		{"and then it is told", "L5", "{L3 L4} <3 3", "watch 4"},
		{"a mark of the last", "L5", "{L3 L4} 3 <4", "hold"},
		{"a mark of the last, before anything is told", "L5", "{L3 L4} <4", "hold"},
		{"a mark of the own number", "L5", "{L3 L4} 3 <5?", "list"},
		{"a mark of a later number", "L5", "{L3 L4} 3 <6?", "list"},
		{"a mark just before both, who are still there", "L5", "{L3 L4} doubt <2?", "list"},
		{"the last has given up, and the one before is there", "L5", "{L3 L4} 4 <2", "watch 3"},
		{"and then that goes, too", "L5", "{L3 L4} 4 <2 3", "hold"},
		{"the last has given up, and the mark is too old", "L5", "{L3 L4} 4 <1?", "list"},
		{"both have gone, and then a mark", "L5", "{L3 L4} 3 4 <2", "hold"},
		{"both have gone, and the mark is too old", "L5", "{L3 L4} 3 4 <1?", "list"},
		{"a later mark tells enough", "L5", "{L3 L4} 3 <1? <2", "watch 4"},
		{"an earlier mark after that tells nothing", "L5", "{L3 L4} 3 <2 <1", "watch 4"},
		{"the second number, which has nobody before both", "L2", "{L0 L1} 0 <0", "watch 1"},
		{"doubt after a guess, and then a mark", "L5", "{L3 L4} doubt <3", "watch 4"},
		{"doubt after both, and then a mark", "L5", "{L3 L4} 3 doubt <2", "watch 4"},
		{"doubt after a mark", "L5", "{L3 L4} 3 <2 doubt", "list"},
		{"doubt after a mark, and then it again", "L5", "{L3 L4} 3 <2 doubt <2", "watch 4"},
		{"a mark after a listing", "L5", "[L1 L2 L3 L4 L5] <3", "watch 4"},
		{"an old mark after a listing", "L5", "[L1 L3 L4 L5] 3 <1", "watch 4"},
		{"a mark after a listing, with one left", "L5", "[L1 L2 L3 L4 L5] 3 <2", "watch 4"},
		{"a mark after a listing, with two left", "L5", "[L1 L2 L3 L4 L5] 4 <1?", "list"},
		{"after a listing of two, a mark that tells nothing new", "L5", "[L3 L4 L5] <1?", "watch 4 3"},
		{"a mark of all in a listing", "L5", "[L1 L2 L3 L4 L5] <4", "hold"},
		{"a mark of the own number after a listing", "L5", "[L4 L5] doubt <5?", "list"},
		{"a mark and then a listing that shows more", "L5", "{L3 L4} 3 <2 doubt [L1 L4 L5]", "watch 4 1"},

		{"readers do not wait for readers", "R3", "[R1 R2 R3]", "hold"},
		{"a reader waits for writers", "R4", "[W1 R2 W3 R4]", "watch 3 1"},
		{"a reader's one writer goes", "R3", "[W1 R2 R3] 1", "hold"},
		{"a reader does not mind a downgrade", "R2", "[W1 R2] 1", "hold"},
		{"a reader's two writers", "R3", "[W1 W2 R3] 1", "list"},
		{"a writer waits for all", "W3", "[R1 R2 W3]", "watch 2 1"},
		{"a writer behind a reader", "W2", "[R1 W2] 1", "hold"},
		{"a writer doubts a writer's going", "W2", "[W1 W2] 1", "list"},
		{"a writer that became a reader", "W2", "[W1 W2] 1 [R1 W2]", "watch 1"},
		{"and that then goes", "W2", "[W1 W2] 1 [R1 W2] 1", "hold"},
		{"a writer that has gone for good", "W2", "[W1 W2] 1 [W2]", "hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(t, c.own, c.facts); got != c.want {
				t.Errorf("%s, told %q, wants to %s, want %s", c.own, c.facts, got, c.want)
			}
		})
	}
}

// told returns what a turn wants to do after the facts.
func told(t *testing.T, own, facts string) string {
	own, textbook := strings.CutPrefix(own, "textbook ")
	turn := newTurn(kindOf(own), nameOf(own), textbook)
	for facts = strings.TrimSpace(facts); facts != ""; facts = strings.TrimSpace(facts) {
		var fact string
		switch facts[0] {
		case '[':
			fact, facts, _ = strings.Cut(facts[1:], "]")
			if !turn.listed(queueNamed(fact)) {
				return "vanished"
			}
		case '{':
			fact, facts, _ = strings.Cut(facts[1:], "}")
			turn.guessed(queueNamed(fact))
		case '<':
			fact, facts, _ = strings.Cut(facts[1:], " ")
			last, wanting := strings.CutSuffix(fact, "?")
			if enough := turn.released(int32(last[0]-'0'), int32(own[1]-'0')); enough == wanting {
				t.Errorf("%s: the mark %s is enough: %v", own, last, enough)
			}
		default:
			fact, facts, _ = strings.Cut(facts, " ")
			tellTurn(turn, fact)
		}
	}
	return wanted(turn)
}

// tellTurn tells of doubt, or of the going of a znode.
func tellTurn(t *turn, fact string) {
	if fact == "doubt" {
		t.doubt()
		return
	}
	for _, c := range t.ahead {
		if numberOf(c.name) == fact {
			t.gone(c.name)
			return
		}
	}
	t.gone(nameOf("L" + fact))
}

func wanted(t *turn) string {
	switch t.wishes() {
	case wishListing:
		return "list"
	case wishNothing:
		return "hold"
	}
	want := "watch"
	for _, name := range t.watches() {
		want += " " + numberOf(name)
	}
	if t.next() != (len(t.ahead) == 1) {
		return "be next by mistake"
	}
	return want
}

// kindOf returns the kind of a contender like "W1", and nameOf its name.
func kindOf(short string) kind {
	return map[byte]kind{'L': mutexKind, 'R': readKind, 'W': writeKind}[short[0]]
}

func nameOf(short string) string {
	return kindOf(short).marker + "000000000" + short[1:]
}

func numberOf(name string) string {
	return cmp.Or(strings.TrimLeft(name[len(name)-10:], "0"), "0")
}

func queueNamed(line string) []contender {
	var names []string
	for short := range strings.FieldsSeq(line) {
		names = append(names, nameOf(short))
	}
	slices.Reverse(names) // the server tells them in no order
	return queueOf(names, []string{lockMarker, readMarker, writeMarker})
}

// What a turn was told stays as it is: others may look at the same listing.
func TestTurnLeavesTheListingAlone(t *testing.T) {
	queue := queueNamed("L1 L2 L3 L4")
	before := slices.Clone(queue)
	turn := newTurn(mutexKind, nameOf("L4"), false)
	turn.listed(queue)
	turn.released(1, 4)
	turn.released(2, 4)
	for _, c := range before[:3] {
		turn.gone(c.name)
	}
	if !slices.Equal(queue, before) {
		t.Errorf("the listing became %v", queue)
	}
}

// The position is that in the last listing, for the trace. A guess has none.
func TestTurnPosition(t *testing.T) {
	turn := newTurn(readKind, nameOf("R3"), false)
	if turn.listed(queueNamed("R1 W2 R3 R4")); turn.position != 2 {
		t.Errorf("position %d, want 2", turn.position)
	}
	if turn.guessed(queueNamed("W2")); turn.position != -1 {
		t.Errorf("position %d after a guess", turn.position)
	}
	if turn.released(0, 3); turn.position != 1 {
		t.Errorf("position %d after a mark, want 1", turn.position)
	}
}
