package goal

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestJudgeForgetsRequests: of a request that no reply can come to any more nothing is kept.
func TestJudgeForgetsRequests(t *testing.T) {
	judge := NewJudge(Goal{Steps: []Step{{Where: Pattern{Kind: event.LockAcquired}}}}, nil)
	take := func(kind event.Kind, op string, xid int32) {
		judge.Take(event.Event{Seq: judge.next, Lane: "lane", Client: 4, Kind: kind, Op: op, Xid: xid})
	}
	for name, end := range map[string]func(xid int32){
		"answered": func(xid int32) { take(event.WireReceived, "create", xid) },
		"dropped":  func(xid int32) { take(event.WireDropped, "create", xid) },
		"connected again": func(int32) {
			take(event.WireSent, "connect", 0)
			take(event.WireReceived, "connect", 0)
		},
		"left": func(int32) { take(event.NoteLeft, "", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			clear(judge.asked)
			for xid := range int32(100) {
				take(event.WireSent, "create", xid+1)
				end(xid + 1)
			}
			if kept := len(judge.asked["lane 4"]); kept > 0 {
				t.Errorf("%d requests are kept", kept)
			}
		})
	}
}
