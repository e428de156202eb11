package link_test

import (
	"errors"
	"net"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestPauseEnds lets a process stand still in the middle of a read with a
// deadline, a write and a dial with a timeout, for much longer than those are.
func TestPauseEnds(t *testing.T) {
	stays := errors.New("still waiting")
	tests := []struct {
		name              string
		end               func(*link.Link, net.Conn)
		read, write, dial error
	}{
		{"not", func(*link.Link, net.Conn) {}, stays, stays, stays},
		{"resume", func(l *link.Link, _ net.Conn) { l.Resume() }, os.ErrDeadlineExceeded, nil, nil},
		{"kill", func(l *link.Link, _ net.Conn) { l.Kill() }, link.ErrKilled, link.ErrKilled, link.ErrKilled},
		{"close the link", func(l *link.Link, _ net.Conn) { l.Close() }, link.ErrClosed, link.ErrClosed, link.ErrClosed},
		{"close the connection", func(_ *link.Link, c net.Conn) { c.Close() }, net.ErrClosed, net.ErrClosed, stays},
		{"cut", func(l *link.Link, _ net.Conn) { l.Cut() }, stays, stays, stays},
		{"cut and resume", func(l *link.Link, _ net.Conn) { l.Cut(); l.Resume() }, link.ErrCut, link.ErrCut, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, c, _ := pipedLink(t, nil)
				defer l.Close()
				write(t, c, greeting())
				must(t, c.SetReadDeadline(time.Now().Add(time.Second)))
				l.Pause()
				l.Pause()
				got := [3]error{stays, stays, stays}
				go func() { _, got[0] = c.Read(make([]byte, 100)) }()
				go func() { _, got[1] = c.Write(exists(1)) }()
				go func() { _, got[2] = l.Dial("tcp", "far", time.Second) }()
				time.Sleep(time.Hour)
				tt.end(l, c)
				synctest.Wait()
				for i, want := range []error{tt.read, tt.write, tt.dial} {
					if !errors.Is(got[i], want) {
						t.Errorf("%s: %v, want %v", []string{"read", "write", "dial"}[i], got[i], want)
					}
				}
			})
		})
	}
}

// TestPauseLeavesTheNetworkAlone wants what was written before a pause to
// travel on in it, and nothing else.
func TestPauseLeavesTheNetworkAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c, far := pipedLink(t, nil)
		defer l.Close()
		write(t, c, greeting())
		l.SetDelay(time.Minute, 0)
		write(t, c, exists(1))
		l.Pause()
		go c.Write(exists(2))
		time.Sleep(time.Hour)
		if got, _ := far.got(); !slices.Equal(got, []int32{1}) {
			t.Errorf("arrived in the pause: %v, want [1]", got)
		}
		l.Resume()
		l.Resume()
		time.Sleep(time.Hour)
		if got, _ := far.got(); !slices.Equal(got, []int32{1, 2}) {
			t.Errorf("arrived after the pause: %v, want [1 2]", got)
		}
	})
}

// TestKilledIsNotPaused wants a dead process not to be made to wait.
func TestKilledIsNotPaused(t *testing.T) {
	l := link.New(link.Config{})
	l.Kill()
	l.Pause()
	if _, err := l.Dial("tcp", "127.0.0.1:1", time.Second); !errors.Is(err, link.ErrKilled) {
		t.Errorf("dial: %v, want ErrKilled", err)
	}
	l.Close()
}

// TestPausedClientReadsLate wants a reply that arrives in a pause to be told as
// waiting, and to be read first of all after it.
func TestPausedClientReadsLate(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.link.Block("test", event.Out)
	got := make(chan error, 1)
	go func() { got <- c.get(root)() }()
	c.await(t, "the request waits", is(event.WireHeld, "getData"))
	c.link.Pause()
	c.link.Unblock("test", event.Out)
	held := c.await(t, "the reply waits to be read", func(e event.Event) bool {
		return e.Kind == event.WireHeld && e.Op == "getData" && e.Dir == event.In
	})
	if held.Due != 0 {
		t.Errorf("held %+v, want it without due", held)
	}
	select {
	case err := <-got:
		t.Errorf("answered in the pause: %v", err)
	default:
	}
	c.link.Resume()
	must(t, <-got)
}
