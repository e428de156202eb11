package locks_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// named are the requests that a lock sends.
var named = map[int32]string{
	opCreate: "create", opMulti: "multi", opGetChildren2: "list", opGetData: "watch", opDelete: "delete",
}

// tally returns a function that tells what was sent since: "create list
// delete", those of one kind together.
func (n *network) tally() func() string {
	before := n.counts()
	return func() string {
		var words []string
		after := n.counts()
		for _, op := range []int32{opCreate, opMulti, opGetChildren2, opGetData, opDelete} {
			words = append(words, slices.Repeat([]string{named[op]}, after[op]-before[op])...)
		}
		return strings.Join(words, " ")
	}
}

func (n *network) counts() map[int32]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.sent)
}

// sends checks what use sends to have a lock and to release it. A lease that
// lasts for a moment has its own znode watched, too: use is done again while
// the machine is so slow, but not for ever.
func (n *network) sends(tb testing.TB, want string, use func()) {
	tb.Helper()
	slow, got := strings.Replace(want, "delete", "watch delete", 1), ""
	for range 10 {
		sent := n.tally()
		use()
		if got = sent(); got != slow {
			break
		}
	}
	if got != want {
		tb.Errorf("sent %q, want %q", got, want)
	}
}
