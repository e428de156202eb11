//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// list says who holds and who waits, and revoke ends who is revocable.
func TestListAndRevoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.start("-lock", w.path, "-data", "ann", "-revocable", "--", "sh", "-c", "echo held; exec sleep 1000")
	holder.says(w, "held")
	waiter := w.start("-lock", w.path, "-data", "bob", "--", "true")
	var lines []string
	for len(lines) < 2 {
		out, code := w.start("list", w.path).ends(w)
		if code != 0 {
			t.Fatalf("exit code %d", code)
		}
		lines = strings.Split(strings.TrimSpace(out), "\n")
	}
	for i, want := range []string{"holds ann", "waits bob"} {
		does, data, _ := strings.Cut(want, " ")
		if !strings.HasPrefix(lines[i], does) || !strings.HasSuffix(lines[i], `"`+data+`"`) {
			t.Errorf("line %d: %s", i, lines[i])
		}
	}
	if out, code := w.start("revoke", w.path).ends(w); code != 0 || !strings.Contains(out, "ann") {
		t.Errorf("revoke: %s, exit code %d", out, code)
	}
	if _, code := holder.ends(w); code != 128+15 {
		t.Errorf("the holder's exit code is %d; %s", code, holder.stderr.String())
	}
	if _, code := waiter.ends(w); code != 0 {
		t.Errorf("the waiter's exit code is %d", code)
	}
	w.queues(0)
	if _, code := w.start("revoke", w.path).ends(w); code != exitFailure {
		t.Errorf("revoke of a free lock: exit code %d", code)
	}
}

// list says who was asked to leave.
func TestListOfTheRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("-lock", w.path, "--", "sh", "-c", "echo held; exec sleep 1000").says(w, "held")
	w.start("revoke", w.path).ends(w)
	if out, _ := w.start("list", w.path).ends(w); !strings.HasSuffix(out, "asked to leave\n") {
		t.Errorf("it says %s", out)
	}
}

// doctor finds what is wrong.
func TestDoctor(t *testing.T) {
	t.Parallel()
	const full = "/full"
	server := zktest.StartPrepared(t, map[string]int32{full: lastNumber + 1, "/most": lastNumber - 1000})
	w := &world{t, server.Conn(t), server.Address(), server.Root(t) + "/lock"}
	if out, code := w.start("doctor", w.path).ends(w); code != 0 || !strings.Contains(out, "no such znode") {
		t.Errorf("no lock: %s, exit code %d", out, code)
	}
	const guid = "_c_0123456789abcdef0123456789abcdef-"
	for _, node := range []string{"", "/" + guid + "lock-0000000000", "/latch-0000000001", "/notes"} {
		if _, err := w.conn.Create(w.path+node, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	}
	for _, number := range []string{"0000000002", "0000000003"} {
		if _, err := w.conn.Create(w.path+"/"+guid+"lock-"+number, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	}
	for path, wants := range map[string][]string{
		w.path:  {"problem: orphan: " + w.path + "/" + guid + "lock-0000000000 belongs to no session", "problem: stranger: latch-0000000001"},
		full:    {"problem: the numbers are used up"},
		"/most": {"problem: few numbers are left"},
	} {
		out, code := w.start("doctor", path).ends(w)
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %s, want %s", path, out, want)
			}
		}
		if n := strings.Count(out, "problem:"); code != exitProblem || n != len(wants) {
			t.Errorf("%s: exit code %d, %s", path, code, out)
		}
	}
	if err := w.conn.Delete(w.path+"/"+guid+"lock-0000000000", -1); err != nil {
		t.Fatal(err)
	}
	if out, _ := w.start("doctor", w.path).ends(w); !strings.Contains(out, "orphan or deadlock: "+w.path+"/"+guid+"lock-0000000003") {
		t.Errorf("two znodes of one session: %s", out)
	}
}
