package main

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A fenceJudge reads the history of ZooKeeper, and knows nothing of what replicas believe. A
// room is owned by the session that is first in the queue below owners/ROOM; the number of
// the transaction that put it there is its fence.
type fenceJudge struct {
	queues map[string]map[string]place // by room and by znode
	newest map[string]int64            // by room: the fence by which it was written last

	owners map[int64]bool // the fences by which something was written
	writes int
	wrong  []string // writes by whoever was no owner
}

// A place is that of a session in a queue.
type place struct {
	session, fence int64
	number         string
}

func judgeFences(history []zktest.Txn) *fenceJudge {
	j := &fenceJudge{queues: make(map[string]map[string]place), newest: make(map[string]int64), owners: make(map[int64]bool)}
	for _, txn := range history {
		var checked string
		for _, c := range txn.Changes {
			kind, room := clusterZnode(c.Path)
			switch {
			case c.Type == zktest.TxnCloseSession:
				j.end(txn.Session)
			case c.Type == zktest.TxnCheck:
				checked = c.Path
			case kind == "rooms":
				j.write(txn, room, checked)
			case kind == "owners" && c.Type == zktest.TxnDelete:
				delete(j.queues[room], c.Path)
			case kind == "owners" && c.Type == zktest.TxnCreate && c.Ephemeral:
				if j.queues[room] == nil {
					j.queues[room] = make(map[string]place)
				}
				j.queues[room][c.Path] = place{txn.Session, txn.Zxid, c.Path[strings.LastIndex(c.Path, "-")+1:]}
			}
		}
	}
	return j
}

// clusterZnode says what a znode of a cluster is about: rooms/ROOM, or a znode of
// owners/ROOM; empty for any other.
func clusterZnode(znode string) (kind, room string) {
	below, is := strings.CutPrefix(znode, path.Join(base, "clusters"))
	parts := strings.Split(below, "/") // the second is the cluster
	if is && len(parts) == 4 && parts[2] == "rooms" || is && len(parts) == 5 && parts[2] == "owners" {
		return parts[2], parts[3]
	}
	return "", ""
}

// end ends a session, and with it its places.
func (j *fenceJudge) end(session int64) {
	for _, queue := range j.queues {
		for znode, p := range queue {
			if p.session == session {
				delete(queue, znode)
			}
		}
	}
}

// write judges a transaction that changes what a room keeps, and has checked a znode.
func (j *fenceJudge) write(txn zktest.Txn, room, checked string) {
	j.writes++
	writer, is := j.queues[room][checked]
	why := ""
	switch {
	case !is:
		why = fmt.Sprintf("it checks %q, which is in no queue for the room", checked)
	case writer.session != txn.Session:
		why = fmt.Sprintf("it checks the znode of session %#x", writer.session)
	case writer.fence < j.newest[room]:
		why = fmt.Sprintf("its fence %#x is older than %#x, by which the room was written", writer.fence, j.newest[room])
	}
	for znode, other := range j.queues[room] {
		if is && other.number < writer.number {
			why = fmt.Sprintf("%q is before it in the queue", znode)
		}
	}
	if why != "" {
		j.wrong = append(j.wrong, fmt.Sprintf("transaction %#x of session %#x writes room %s by %+v: %s", txn.Zxid, txn.Session, room, txn.Changes, why))
		return
	}
	j.newest[room] = writer.fence
	j.owners[writer.fence] = true
}

// mustHold wants every write to be the owner's.
func (j *fenceJudge) mustHold(t *testing.T) {
	t.Helper()
	for _, wrong := range j.wrong {
		t.Error(wrong)
	}
	t.Logf("%d writes by %d owners of %d rooms, all fenced: %t", j.writes, len(j.owners), len(j.newest), len(j.wrong) == 0)
	if len(j.newest) == 0 {
		t.Error("no room was written: this test looks in the wrong place")
	}
}

// TestFenceJudge: the judge finds each way to write a room without being its owner.
func TestFenceJudge(t *testing.T) {
	const old, young, room = base + "/clusters/c/owners/r/a-lock-0000000001", base + "/clusters/c/owners/r/b-lock-0000000002", base + "/clusters/c/rooms/r"
	claim := func(session, zxid int64, znode string) zktest.Txn {
		return zktest.Txn{Session: session, Zxid: zxid, Changes: []zktest.Change{{Type: zktest.TxnCreate, Path: znode, Ephemeral: true}}}
	}
	write := func(session, zxid int64, guard string) zktest.Txn {
		return zktest.Txn{Session: session, Zxid: zxid, Changes: []zktest.Change{{Type: zktest.TxnCheck, Path: guard}, {Type: zktest.TxnSetData, Path: room}}}
	}
	end := zktest.Txn{Session: 1, Zxid: 3, Changes: []zktest.Change{{Type: zktest.TxnCloseSession}}}
	for name, c := range map[string]struct {
		want    string
		history []zktest.Txn
	}{
		"two owners, one after the other": {"", []zktest.Txn{claim(1, 1, old), write(1, 2, old), end, claim(2, 4, young), write(2, 5, young)}},
		"after the end of its session":    {"in no queue", []zktest.Txn{claim(1, 1, old), end, write(1, 4, old)}},
		"without a guard":                 {"in no queue", []zktest.Txn{claim(1, 1, old), {Session: 1, Zxid: 2, Changes: write(1, 2, old).Changes[1:]}}},
		"by another's guard":              {"znode of session 0x1", []zktest.Txn{claim(1, 1, old), write(2, 2, old)}},
		"while it waits":                  {"is before it", []zktest.Txn{claim(1, 1, old), claim(2, 2, young), write(2, 3, young)}},
		"with an older fence":             {"is older than", []zktest.Txn{claim(1, 2, young), write(1, 3, young), claim(2, 1, old), write(2, 4, old)}},
	} {
		wrong := judgeFences(c.history).wrong
		if c.want == "" && len(wrong) > 0 || c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)) {
			t.Errorf("%s: %q, want one with %q", name, wrong, c.want)
		}
	}
}
