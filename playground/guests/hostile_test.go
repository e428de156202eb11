package guests_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestHostileGuests: some flood, speak garbage, or leave without a word; the tests of
// chroot have the other kinds. Their room's log says so, the run of another room goes on
// as before, and nothing is left of them.
func TestHostileGuests(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	t.Cleanup(func() { awaitSessions(t, server.Address(), 1) }) // but for that of this test, and run last
	h := open(t, server, nil)
	calm, err := h.Create(h.within(), room.Person{Teacher: true})
	h.must(err)
	bystander := h.start(calm, 3)
	for range 50 { // it is under way
		bystander.untilKind(event.LockReleased, 0)
	}
	before := bystander.Summary().Lanes[0]
	descriptors := countDescriptors()

	run := h.start(h.room(room.Main), 2)
	address := h.address(room.Main)
	began := time.Now()
	var hostile sync.WaitGroup
	flooding, dryUp := context.WithCancel(t.Context())
	defer dryUp()
	for range 3 {
		hostile.Go(func() { flood(flooding, address) })
	}
	hostile.Go(func() { garbage(address) })
	hostile.Go(func() { h.leaveWithoutAWord() })

	seen := make(map[string]bool)
	wanted := map[string]func(event.Event) bool{
		"floods": func(e event.Event) bool {
			return e.Kind == event.NoteLimited && e.Client > 2 && strings.Contains(e.Why, "more than 500 operations a second")
		},
		"garbage": func(e event.Event) bool {
			return e.Kind == event.NoteRefused && e.Op == "connect" && strings.Contains(e.Why, "not ZooKeeper's protocol")
		},
		"gone": func(e event.Event) bool { return e.Kind == event.NoteLeft && strings.Contains(e.Why, "timed out") },
	}
	run.until("all that the hostile guests do is told", func(e event.Event) bool {
		for what, is := range wanted {
			seen[what] = seen[what] || is(e)
		}
		return len(seen) == len(wanted) && !hasFalse(seen)
	})
	dryUp()
	hostile.Wait()
	lasted := time.Since(began)
	during := bystander.Summary().Lanes[0]
	t.Logf("the other room: %d acquisitions in %v beside hostile guests, hand-overs p50 %d µs, p99 %d µs, before %d and %d µs",
		during.Acquisitions-before.Acquisitions, lasted.Round(time.Millisecond),
		during.HandoffMicros.P50, during.HandoffMicros.P99, before.HandoffMicros.P50, before.HandoffMicros.P99)
	if during.HandoffMicros.P50 > time.Second.Microseconds()/2 { // far more than on any busy machine
		t.Errorf("the other room is disturbed: %+v, before %+v", during, before)
	}
	for range 50 { // and it goes on
		bystander.untilKind(event.LockReleased, 0)
	}
	for i := range 100 { // the hostile room's own run goes on as well
		run.untilKind(event.LockAcquired, i%2+1)
	}
	run.finish()
	bystander.finish()
	for _, summary := range []*log{run, bystander} {
		for _, v := range summary.Summary().Lanes[0].Verdicts {
			if v.Verdict != event.Holds && (summary == bystander || v.Verdict == event.Violated) { // what guests believe is not told
				t.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
			}
		}
		if n := summary.Summary().Undecoded; n != 0 || !h.gone(summary) {
			t.Errorf("%d frames were not decoded, or znodes are left", n)
		}
	}
	for deadline := time.Now().Add(timeout); countDescriptors() > descriptors; {
		if time.Now().After(deadline) {
			t.Fatalf("%d descriptors are open, there were %d", countDescriptors(), descriptors)
		}
	}
}

func hasFalse(seen map[string]bool) bool {
	for _, is := range seen {
		if !is {
			return true
		}
	}
	return false
}

// raw returns a connection on which a session is asked for, for whoever wants to write
// what no client does.
func raw(address string) (net.Conn, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	open := make([]byte, 4+45)
	binary.BigEndian.PutUint32(open, 45)
	binary.BigEndian.PutUint32(open[16:], 4_000) // the session timeout
	binary.BigEndian.PutUint32(open[28:], 16)    // the length of the password
	_, err = conn.Write(open)
	return conn, err
}

// request is a frame that asks whether a znode exists.
func request(xid int, path string) []byte {
	const opExists = 3
	frame := binary.BigEndian.AppendUint32(nil, uint32(4+4+4+len(path)+1))
	frame = binary.BigEndian.AppendUint32(frame, uint32(xid))
	frame = binary.BigEndian.AppendUint32(frame, uint32(opExists))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(path)))
	return append(append(frame, path...), 0)
}

// flood asks as fast as it can, until ctx ends.
func flood(ctx context.Context, address string) {
	conn, err := raw(address)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(io.Discard, conn) })
	defer reading.Wait()
	for xid := 1; err == nil; xid++ {
		_, err = conn.Write(request(xid, "/lock"))
	}
	conn.Close()
}

// garbage says what is not ZooKeeper's protocol.
func garbage(address string) {
	for i := range 20 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("\x00\x00\x00\x10garbage " + strconv.Itoa(i) + "       "))
		_, _ = io.Copy(io.Discard, conn)
		conn.Close()
	}
}

// leaveWithoutAWord joins, makes znodes in the queue, and breaks the connection.
func (h *house) leaveWithoutAWord() {
	for range 5 {
		guest := h.join(room.Main, wire.Options{Timeout: 4 * time.Second})
		h.create(guest, "/lock/lock-", wire.EphemeralSequential)
		h.create(guest, "/left-", wire.PersistentSequential)
		guest.Close()
	}
}

// countDescriptors counts the open ones, on Linux.
func countDescriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// awaitSessions waits until the server has so few sessions.
func awaitSessions(t *testing.T, address string, most int) {
	t.Helper()
	for deadline := time.Now().Add(timeout); ; {
		n := sessions(t, address)
		if n <= most {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d sessions are left, want %d", n, most)
		}
	}
}

// sessions asks the server how many it has.
func sessions(t *testing.T, address string) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.Write([]byte("mntr"))
	said, failed := io.ReadAll(conn)
	found := regexp.MustCompile(`zk_global_sessions\s+(\d+)`).FindSubmatch(said)
	if err = errors.Join(err, failed); err != nil || found == nil {
		t.Fatalf("%v: %s", err, said)
	}
	n, _ := strconv.Atoi(string(found[1])) // it has digits only
	return n
}
