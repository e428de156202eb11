package chroot_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// Each operation of the recorded conversation, asked of a real server from below a
// root, gives what it gave without one.
func TestEveryOperation(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), nil)
	s := connect(t, h.address)
	asked := wire.NewDecoder()
	var want, got []string
	for _, l := range wiretest.Recorded(t) {
		if l.Request {
			asked.Request(stripped(l.Payload))
			s.send(stripped(l.Payload))
			continue
		}
		f := asked.Reply(stripped(l.Payload))
		want = append(want, summary(f))
		got = append(got, summary(s.hear()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server's side (-recorded +below a root): %s", diff)
	}
}

// summary is what of a frame does not change from run to run.
func summary(f *wire.Frame) string {
	return fmt.Sprintf("kind %d: %s %s%s %v, %d children, stat %v, %v %s",
		f.Kind, f.Op, f.Type, f.Path, f.Code, f.Children, f.Stat != nil, f.Ops, f.Why)
}

// What go-zookeeper gets below a root, and what it gets at a path of its own, are the
// same.
func TestGoZooKeeper(t *testing.T) {
	server := zktest.Start(t)
	parent := server.Root(t)
	inside := room(t, server, parent, "r1")
	outside := room(t, server, parent, "plain")
	h := house(t, server, inside, nil)
	below := operations(t, session(t, h.address), "")
	plain := operations(t, server.Conn(t), outside)
	if diff := cmp.Diff(plain, below); diff != "" {
		t.Errorf("(-without +below a root): %s", diff)
	}
}

// operations does everything that go-zookeeper can at a root, and tells what came of
// it.
func operations(t *testing.T, conn *zk.Conn, root string) (told []string) {
	acl := zk.WorldACL(zk.PermAll)
	tell := func(what string, result any, err error) {
		told = append(told, fmt.Sprintf("%s: %s, %v", what, strings.ReplaceAll(fmt.Sprint(result), root+"/", "/"), err))
	}
	made := func(what, path string, flags int32) {
		path, err := conn.Create(root+path, []byte("x"), flags, acl)
		tell(what, path, err)
	}
	made("create", "/a", 0)
	made("create again", "/a", 0)
	made("create without parent", "/none/a", 0)
	made("create a bad path", "/a//b", 0)
	made("create with a slash at the end", "/a/", 0)
	made("create sequential", "/a/s-", zk.FlagSequence)
	made("create ephemeral", "/a/e", zk.FlagEphemeral)
	made("create below an ephemeral", "/a/e/f", 0)
	path, err := conn.CreateContainer(root+"/c", nil, zk.FlagTTL, acl)
	tell("create container", path, err)
	path, err = conn.CreateTTL(root+"/t", nil, zk.FlagTTL, acl, testTimeout)
	tell("create with a time to live", path, err)
	for _, path := range []string{"/a", "/none"} {
		found, _, err := conn.Exists(root + path)
		tell("exists "+path, found, err)
		data, _, err := conn.Get(root + path)
		tell("get "+path, data, err)
		_, err = conn.Set(root+path, []byte("y"), -1)
		tell("set "+path, nil, err)
		children, _, err := conn.Children(root + path)
		tell("children "+path, len(children), err)
		got, _, err := conn.GetACL(root + path)
		tell("getACL "+path, got, err)
		_, err = conn.SetACL(root+path, acl, -1)
		tell("setACL "+path, nil, err)
		synced, err := conn.Sync(root + path)
		tell("sync "+path, synced, err)
	}
	return append(told, watched(t, conn, root)...)
}

// watched sets watches and does multis, good and bad, that let them fire.
func watched(t *testing.T, conn *zk.Conn, root string) (told []string) {
	acl := zk.WorldACL(zk.PermAll)
	_, _, born, err := conn.ExistsW(root + "/m")
	if err != nil {
		t.Fatal(err)
	}
	_, _, children, err := conn.ChildrenW(root + "/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, ops := range [][]any{
		{&zk.CreateRequest{Path: root + "/m", Acl: acl}, &zk.DeleteRequest{Path: root + "/none", Version: -1}},
		{&zk.CreateRequest{Path: root + "/m", Acl: acl}, &zk.CreateRequest{Path: root + "/a/n-", Acl: acl, Flags: zk.FlagSequence},
			&zk.CheckVersionRequest{Path: root + "/a", Version: 1}, &zk.SetDataRequest{Path: root + "/m", Version: -1}},
		{&zk.CheckVersionRequest{Path: root + "/a", Version: 77}},
	} {
		results, err := conn.Multi(ops...)
		told = append(told, strings.ReplaceAll(fmt.Sprintf("multi: %d results, %v", len(results), err), root, ""))
		for _, result := range results {
			told = append(told, fmt.Sprintf("%s %v", strings.TrimPrefix(result.String, root), result.Error))
		}
	}
	for _, events := range []<-chan zk.Event{born, children} {
		event := <-events
		told = append(told, event.Type.String()+" "+strings.TrimPrefix(event.Path, root))
	}
	return told
}

// What stands at the very top, where a root could be left.
func TestAtTheTop(t *testing.T) {
	server := zktest.Start(t)
	parent := server.Root(t)
	root := room(t, server, parent, "r1")
	neighbour := room(t, server, parent, "r10")
	h, next := house(t, server, root, nil), house(t, server, neighbour, nil)
	s, other := speak(t, h.address), speak(t, next.address)
	if f := other.ask(create, "/secret", "data", openACL{}, 1); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	for _, test := range []struct {
		name string
		op   int
		body []byte
		code wire.Code
		path string
	}{
		{"create -s /", create, encode("/", "", openACL{}, 2), wire.OK, "/0000000000"},
		{"create -s -e /", create, encode("/", "", openACL{}, 3), wire.OK, "/0000000001"},
		{"create -s / in a multi", multi, parts(part(create, "/", "", openACL{}, 2)), wire.OK, ""},
		{"create /", create, encode("/", "", openACL{}, 0), wire.NodeExists, "/"},
		{"create without a slash", create, encode("0", "", openACL{}, 0), wire.BadArguments, "0"},
		{"create -s without a slash", create, encode("0", "", openACL{}, 2), wire.BadArguments, "0"},
		{"create of nothing", create, encode("", "", openACL{}, 0), wire.BadArguments, ""},
		{"create /zookeeper", create, encode("/zookeeper", "", openACL{}, 0), wire.BadArguments, "/zookeeper"},
		{"create of a quota", create, encode("/zookeeper/quota/a", "", openACL{}, 0), wire.BadArguments, "/zookeeper/quota/a"},
		{"create upwards", create, encode("/../x", "", openACL{}, 0), wire.NoNode, "/../x"},
		{"delete /", remove, encode("/", -1), wire.BadArguments, "/"},
		{"delete / in a multi", multi, parts(part(remove, "/", -1)), wire.BadArguments, ""},
		{"get /", getData, encode("/", false), wire.OK, "/"},
		{"get without a slash", getData, encode("0/secret", false), wire.NoNode, "0/secret"},
		{"get of a quota", getData, encode("/zookeeper/quota", false), wire.NoNode, "/zookeeper/quota"},
		{"get of the configuration", getData, encode("/zookeeper/config", true), wire.OK, "/zookeeper/config"},
		{"list /", getChildren, encode("/", false), wire.OK, "/"},
		{"sync /", sync, encode("/"), wire.OK, "/"},
		{"sync without a slash", sync, encode("0"), wire.OK, "0"},
		{"reads of many", multiRead, parts(part(getData, "/", false), part(getChildren, "/", false)), wire.OK, ""},
		{"watch of /", addWatch, encode("/", 1), wire.OK, "/"},
		{"removal of a watch that is not there", removeWatches, encode("/none", 3), wire.NoWatcher, "/none"},
	} {
		f := s.askRaw(test.op, test.body)
		if f.Kind != wire.Reply || f.Code != test.code || f.Path != test.path {
			t.Errorf("%s: %v %q %s, want %v %q", test.name, f.Code, f.Path, f.Why, test.code, test.path)
		}
	}
	for prefix, want := range map[string]string{"/": "/0000000001", "": "/0000000001", "/0": "/0000000001", "/secret": "", "0": ""} {
		if got := strings.Join(ephemerals(s, prefix), " "); got != want {
			t.Errorf("ephemerals of %q: %q, want %q", prefix, got, want)
		}
	}
	if got := strings.Join(ephemerals(other, "/"), " "); got != "/secret" {
		t.Errorf("ephemerals of the neighbour: %q", got)
	}
	if f := other.ask(setData, "/secret", "changed", -1); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	if f := s.ask(setData, "/", "changed", -1); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	if len(s.notified) != 1 || s.notified[0].Path != "/" {
		t.Errorf("told of %d changes, want that of / alone", len(s.notified))
	}
	children, _, err := server.Conn(t).Children(parent)
	if err != nil || len(children) != 2 {
		t.Errorf("beside the rooms there are %q, %v", children, err)
	}
}

// ephemerals asks for those of the session, with their paths.
func ephemerals(s *speaker, prefix string) (paths []string) {
	s.Helper()
	s.xid++
	s.send(encode(s.xid, getEphemerals, prefix))
	payload, err := s.frame()
	if err != nil {
		s.Fatal(err)
	}
	d := wire.NewDecoder()
	d.LocateFields = true
	d.Request(connectRequest(0, 0, noPassword))
	d.Reply(encode(0, 1, int64(1), noPassword))
	d.Request(encode(s.xid, getEphemerals, prefix))
	for _, field := range d.Reply(payload).Fields {
		paths = append(paths, string(payload[field.Start:field.End]))
	}
	s.decoder.Reply(payload)
	return paths
}

// A client that comes back sets a watch on the servers' configuration again, as Curator
// does, which was never set below the root. The server says at once that it is gone.
func TestWatchOfConfiguration(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), nil)
	s := speak(t, h.address)
	if f := s.ask(setWatches, int64(0), []string{"/zookeeper/config", "/gone"}, []string{}, []string{}); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	s.ask(exists, "/", false)
	if len(s.notified) != 1 || s.notified[0].Path != "/gone" {
		t.Errorf("told of %d changes, want of that of /gone alone", len(s.notified))
	}
}

// A client that comes back finds its session and its watches.
func TestReconnect(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), nil)
	conn, other := session(t, h.address), session(t, h.address)
	acl := zk.WorldACL(zk.PermAll)
	for _, path := range []string{"/a", "/d"} {
		if _, err := conn.Create(path, nil, 0, acl); err != nil {
			t.Fatal(err)
		}
	}
	own, err := conn.Create("/e", nil, zk.FlagEphemeral, acl)
	if err != nil {
		t.Fatal(err)
	}
	before := conn.SessionID()
	_, _, data, err := conn.GetW("/d")
	if err != nil {
		t.Fatal(err)
	}
	_, _, born, err := conn.ExistsW("/a/later")
	if err != nil {
		t.Fatal(err)
	}
	_, _, children, err := conn.ChildrenW("/a")
	if err != nil {
		t.Fatal(err)
	}
	h.cut() // and conn asks for nothing until it is told: a reply before it has set its watches again races with that in go-zookeeper
	retry(t, func() error { _, err := other.Create("/a/later", nil, 0, acl); return err })
	retry(t, func() error { _, err := other.Set("/d", []byte("x"), -1); return err })
	for _, want := range []struct {
		events <-chan zk.Event
		event  string
	}{{born, "EventNodeCreated /a/later"}, {children, "EventNodeChildrenChanged /a"}, {data, "EventNodeDataChanged /d"}} {
		if event := <-want.events; event.Type.String()+" "+event.Path != want.event {
			t.Errorf("%v %s, want %s", event.Type, event.Path, want.event)
		}
	}
	if found, _, err := conn.Exists(own); !found || err != nil || conn.SessionID() != before {
		t.Errorf("after the reconnect the ephemeral is there: %v, %v; session %#x, before %#x", found, err, conn.SessionID(), before)
	}
	h.awaitEnd(chroot.ErrServer)
}

// retry does what may meet the cut.
func retry(t *testing.T, do func() error) {
	t.Helper()
	var err error
	for range 20 {
		if err = do(); err == nil || err == zk.ErrNodeExists {
			return
		}
	}
	t.Fatal(err)
}

// Four-letter words are answered by the listener, and a browser is told what it found.
func TestWords(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), nil)
	for word, want := range map[string]string{
		"ruok": "imok", "isro": "rw", "envi": "zookeeper.version=3.8.0", "srvr": "Mode: standalone",
		"cons":                              "cons is not executed because it is not in the whitelist.",
		"dump":                              "dump is not executed because it is not in the whitelist.",
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n": "a ZooKeeper client connects here, for example zkCli.sh -server " + h.address,
	} {
		s := connect(t, h.address)
		if _, err := s.Write([]byte(word)); err != nil {
			t.Fatal(err)
		}
		if err := s.Conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got := s.all(); !strings.Contains(got, want) {
			t.Errorf("%q is answered by %q, want %q", word, got, want)
		}
	}
	if stats, err := zkserver.Probe(t.Context(), h.address); err != nil || stats.Version != "3.8.0" {
		t.Errorf("the probe of a server says %+v, %v", stats, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.conns) > 0 || len(h.ended) > 0 {
		t.Errorf("%d connections to the server for words, %d guests have ended", len(h.conns), len(h.ended))
	}
}
