package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

func writerNode(number int) string {
	return fmt.Sprintf("%s/%032x__lock__%010d", lockPath, number, number)
}
func readerNode(number int) string {
	return fmt.Sprintf("%s/%032x__rlock__%010d", lockPath, number, number)
}

// makes has a participant make a znode that goes with its session.
func (s *story) makes(client int, znode string) *story {
	return s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: znode, Session: fmt.Sprintf("0x%d", client)})
}

// reads has a participant read a znode and leave a watch.
func (s *story) reads(client int, op, znode string) *story {
	request := event.Event{Kind: event.WireSent, Client: client, Op: op, Xid: 5, Path: znode, Watch: true}
	s.event(request)
	request.Kind = event.WireReceived
	return s.event(request)
}

// TestCircleOfWatches: guests of one queue that wait for each other are found by their
// watches, and no lock that goes on is.
func TestCircleOfWatches(t *testing.T) {
	const one, two, three = guest, guest + 1, guest + 2
	queued := func() *story {
		return tell().connected(1).connected(one).connected(two).connected(three).
			makes(one, readerNode(1)).makes(two, writerNode(2))
	}
	facing := func() *story {
		return queued().reads(one, "getData", writerNode(2)).reads(two, "getData", readerNode(1))
	}
	fired := event.Event{Kind: event.WireReceived, Client: two, Op: "notification", Type: "NodeDataChanged", Path: readerNode(1)}
	names := func(from, to string) *story {
		return tell().connected(one).connected(two).makes(one, from).makes(two, to).reads(one, "exists", to).reads(two, "getData", from)
	}
	tests := []struct {
		name  string
		story *story
		want  string // why it is violated; empty where it is not
	}{
		{"two watch each other", facing().seconds(4), "guest 10 watches the znode " + writerNode(2) + " of guest 11, guest 11 watches the znode " + readerNode(1) + " of guest 10: they wait"},
		{"names of any library", names("/lane/leader/n_0000000003", "/lane/leader/n_0000000004").seconds(4), "they wait for each other in a circle"},
		{"three watch each other", queued().makes(three, writerNode(3)).reads(one, "getData", writerNode(3)).reads(three, "getData", writerNode(2)).reads(two, "getData", readerNode(1)).seconds(4), "guest 12 watches"},
		{"a guest and a client", tell().connected(1).connected(one).makes(one, writerNode(0)).queued(1, 1).reads(1, "getData", writerNode(0)).reads(one, "getData", node(1, false)).seconds(4), "client 1 watches"},
		{"for a moment", facing().seconds(2), ""},
		{"one was woken", facing().seconds(2).event(fired).seconds(4), ""},
		{"one has something under way", facing().wire(event.WireSent, two, 9).seconds(4), ""},
		{"one is cut off", facing().lock(event.SessionSuspended, one).seconds(4), ""},
		{"the znode of one is of a session before", facing().granted(two, "0xb").reads(two, "getData", readerNode(1)).seconds(4), ""},
		{"one has left the queue", facing().event(event.Event{Kind: event.TreeDeleted, Client: two, Path: writerNode(2), Cause: "client"}).seconds(4), ""},
		{"a queue", queued().reads(two, "getData", readerNode(1)).makes(three, writerNode(3)).reads(three, "getData", writerNode(2)).seconds(4), ""},
		{"one watches the children", queued().reads(one, "getData", writerNode(2)).reads(two, "getChildren", lockPath).seconds(4), ""},
		{"the last of a barrier works, and the first waits for it", queued().reads(one, "exists", writerNode(2)).seconds(4), ""},
		{"two threads of one session", queued().makes(one, writerNode(3)).reads(one, "getData", writerNode(2)).reads(two, "getData", readerNode(1)).seconds(4), ""},
		{"one that goes on with any of several", queued().makes(three, writerNode(3)).reads(one, "exists", writerNode(2)).reads(one, "exists", writerNode(3)).reads(two, "exists", readerNode(1)).seconds(4), ""},
		{"one in another directory", names("/lane/a/n_0000000003", "/lane/b/n_0000000004").seconds(4), ""},
		{"znodes without numbers", names("/lane/party/a", "/lane/party/b").seconds(4), ""},
		{"who believes that it holds", tell().connected(1).connected(one).queued(1, 0).acquired(1, 0).makes(one, writerNode(1)).reads(1, "getData", writerNode(1)).reads(one, "getData", node(0, false)).seconds(4), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.story.verdict(t, "progress")
			if violated := got.Verdict == event.Violated; violated != (test.want != "") || !strings.Contains(got.Why, test.want) {
				t.Errorf("%s: %q, want %q", got.Verdict, got.Why, test.want)
			}
		})
	}
}
