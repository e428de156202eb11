package interop

import (
	"context"
	"errors"
	"io"
	"net"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// A door lets clients see one subtree as their root, and decodes what passes.
type door struct {
	*testing.T
	server  string
	address string

	mu        sync.Mutex
	links     []*link.Link
	frames    int
	undecoded []string
	outside   []string // requests for what is not below the root
	refused   []string
}

// openDoor lets clients in until the test ends.
func (d *lockDir) openDoor(root string) *door {
	d.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.Fatal(err)
	}
	o := &door{T: d.T, server: d.server.Address(), address: listener.Addr().String()}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- chroot.Serve(ctx, listener, chroot.Config{
			Root: root, Sessions: chroot.NewSessions(), Version: "3.8.0",
			Dial:    func(context.Context, chroot.Guest) (net.Conn, error) { return o.dial(root) },
			Refused: func(_ chroot.Guest, r chroot.Refusal) { o.note(&o.refused, r.Op+" "+r.Path+": "+r.Why) },
			Ended:   func(_ chroot.Guest, err error) { o.note(&o.refused, errorText(err)) },
		})
	}()
	d.Cleanup(func() {
		cancel()
		err := <-served
		for _, l := range o.links {
			l.Close()
		}
		if err != nil {
			d.Error(err)
		}
		d.Logf("%d frames passed, %d undecoded", o.frames, len(o.undecoded))
		if len(o.undecoded)+len(o.outside) > 0 || o.frames == 0 {
			d.Errorf("undecoded: %q; outside of %s: %q", o.undecoded, root, o.outside)
		}
	})
	return o
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// note keeps what there is to say.
func (o *door) note(list *[]string, text string) {
	if text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	*list = append(*list, text)
}

// dial connects through a link with a tap, as a playground's clients do.
func (o *door) dial(root string) (net.Conn, error) {
	tap := wire.NewTap("guests", 1, func() int64 { return 0 }, func(e event.Event) { o.see(e, root) })
	l := link.New(link.Config{Observer: tap})
	o.mu.Lock()
	o.links = append(o.links, l)
	o.mu.Unlock()
	return l.Dial("tcp", o.server, testTimeout)
}

func (o *door) see(e event.Event, root string) {
	switch e.Kind {
	case event.WireUndecoded:
		o.note(&o.undecoded, e.Why)
	case event.WireSent:
		o.mu.Lock()
		o.frames++
		o.mu.Unlock()
		if e.Path != "" && e.Path != root && !strings.HasPrefix(e.Path, root+"/") {
			o.note(&o.outside, e.Op+" "+e.Path)
		}
	}
}

// Curator and kazoo, who see one subtree as their root and know nothing of it, in one
// queue with those who see everything.
func TestGuests(t *testing.T) {
	c := newContest(t)
	root, name := path.Split(c.path)
	guests := c.openDoor(path.Clean(root))
	c.programServer, c.programPath = guests.address, "/"+name
	c.addKazoo("mutex", write)
	c.addCurator("mutex-beside-kazoo", write)
	c.addGoZooKeeper()
	c.addMutex(zklock.WithExtraMarkers(kazooMarker))
	c.run()
	if len(guests.refused) > 0 {
		t.Errorf("refused, or lost: %q", guests.refused)
	}
}

// What zkCli writes of an event. A thread of its own writes it, also between
// the lines of an answer.
var cliEvent = regexp.MustCompile(`\nWATCHER::\n|\nWatchedEvent .*\n`)

// ZooKeeper's own command line sees the subtree as its root.
func TestCommandLineOfGuest(t *testing.T) {
	d := newLockDir(t)
	guests := d.openDoor(d.path)
	cli, err := findJava(t).start(d.within(), "org.apache.zookeeper.ZooKeeperMain", "-server", guests.address)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"create /a x", "create -s / y", "create -e /e z", "create /a again", "delete /", "get /zookeeper/quota", "config",
		"addWatch /a", "set /a w", "ls -R /", "getEphemerals", "getAllChildrenNumber /", "setquota -n 3 /a", "ls /", "quit",
	} {
		if err := cli.say(line); err != nil {
			t.Fatal(err)
		}
	}
	cli.input.Close()
	output, err := io.ReadAll(cli.output)
	if err := errors.Join(err, cli.cmd.Wait()); err != nil {
		t.Fatalf("%v\n%s%s", err, output, &cli.errors)
	}
	events := strings.Join(cliEvent.FindAllString(string(output), -1), "")
	answers := cliEvent.ReplaceAllString(string(output), "")
	for _, test := range []struct{ name, text, want string }{
		{"output", answers, "\n/\n/0000000001\n/a\n/e\n"},
		{"output", answers, "[0000000001, a, e]\n"},
		{"output", answers, "[/e]\n"},
		{"output", events, "type:NodeDataChanged path:/a"},
		{"errors", cli.errors.String(), "Created /0000000001\n"},
		{"errors", cli.errors.String(), "Node already exists: /a\n"},
		{"errors", cli.errors.String(), "Arguments are not valid : /\n"},
		{"errors", cli.errors.String(), "Node does not exist: /zookeeper/quota\n"},
	} {
		if !strings.Contains(test.text, test.want) {
			t.Errorf("the %s of zkCli lack %q: %s", test.name, test.want, test.text)
		}
	}
	t.Logf("%s%s", output, &cli.errors)
	if children, _, err := d.conn.Children(d.path); err != nil || len(children) != 2 {
		t.Errorf("in the subtree there are %q, %v; want the two that are not ephemeral", children, err)
	}
}
