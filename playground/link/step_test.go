package link_test

import (
	"errors"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
)

// TestStepOrder has the frames 2, 3 and 4 to the server wait, which ask with the
// xids 1, 2 and 3; the handshake was frame 1.
func TestStepOrder(t *testing.T) {
	tests := []struct {
		name string
		do   func(l *link.Link, c net.Conn) []error
		want []error
		got  []int32 // by the server
	}{
		{"nothing", func(*link.Link, net.Conn) []error { return nil }, nil, nil},
		{"in order", func(l *link.Link, _ net.Conn) []error { return deliver(l, 2, 3) }, []error{nil, nil}, []int32{1, 2}},
		{"out of order", func(l *link.Link, _ net.Conn) []error { return deliver(l, 3, 2) },
			[]error{link.ErrOutOfOrder, nil}, []int32{1}},
		{"unknown", func(l *link.Link, _ net.Conn) []error { return deliver(l, 5, 0) },
			[]error{link.ErrNoFrame, link.ErrNoFrame}, nil},
		{"a handshake", func(l *link.Link, _ net.Conn) []error { return deliver(l, 1) }, []error{link.ErrNoFrame}, nil},
		{"the other way", func(l *link.Link, _ net.Conn) []error { return []error{l.Deliver(event.In, 2)} },
			[]error{link.ErrNoFrame}, nil},
		{"twice", func(l *link.Link, _ net.Conn) []error { return deliver(l, 2, 2) }, []error{nil, link.ErrNoFrame}, []int32{1}},
		{"after a cut", func(l *link.Link, _ net.Conn) []error {
			l.Cut()
			return append(deliver(l, 2), l.Break(event.Out, 2))
		}, []error{link.ErrNoFrame, link.ErrNoFrame}, nil},
		{"off", func(l *link.Link, _ net.Conn) []error {
			l.SetStepping(false)
			return append(deliver(l, 2), l.Break(event.Out, 2))
		}, []error{link.ErrNotStepping, link.ErrNotStepping}, []int32{1, 2, 3}},
		{"off and on", func(l *link.Link, c net.Conn) []error {
			l.SetStepping(false)
			synctest.Wait()
			l.SetStepping(true)
			c.Write(exists(4))
			return deliver(l, 2, 5)
		}, []error{link.ErrNoFrame, nil}, []int32{1, 2, 3, 4}},
		{"broken", func(l *link.Link, _ net.Conn) []error {
			errs := deliver(l, 2)
			synctest.Wait()
			return append(errs, l.Break(event.Out, 4), l.Deliver(event.Out, 3))
		}, []error{nil, nil, link.ErrNoFrame}, []int32{1}},
		{"a heartbeat overtakes", func(l *link.Link, c net.Conn) []error {
			_, err := c.Write(ping())
			synctest.Wait()
			return append(deliver(l, 5, 2), err)
		}, []error{link.ErrNoFrame, nil, nil}, []int32{xidPing, 1}},
		{"in a partition", func(l *link.Link, _ net.Conn) []error {
			l.Block("test", event.Out)
			return deliver(l, 2)
		}, []error{nil}, nil},
		{"released", func(l *link.Link, c net.Conn) []error {
			l.Block("test")
			defer l.Unblock("test")
			return deliver(l, 2, 3)
		}, []error{nil, nil}, []int32{1, 2}},
		{"late", func(l *link.Link, c net.Conn) []error {
			l.SetDelay(time.Minute, 0)
			c.Write(exists(4))
			errs := deliver(l, 2, 3, 4, 5)
			synctest.Wait()
			return append(errs, l.Deliver(event.Out, 5))
		}, []error{nil, nil, nil, nil, link.ErrNoFrame}, []int32{1, 2, 3}},
		{"the end is last", func(l *link.Link, c net.Conn) []error {
			c.Close()
			return deliver(l, 2)
		}, []error{nil}, []int32{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, c, far := pipedLink(t, nil)
				defer l.Close()
				l.SetStepping(true)
				write(t, c, greeting(), exists(1), exists(2), exists(3))
				errs := tt.do(l, c)
				synctest.Wait()
				if !slices.EqualFunc(errs, tt.want, errors.Is) {
					t.Errorf("errors %v, want %v", errs, tt.want)
				}
				if got, _ := far.got(); !slices.Equal(got, tt.got) {
					t.Errorf("the server got %v, want %v", got, tt.got)
				}
			})
		})
	}
}

func deliver(l *link.Link, frames ...int64) []error {
	var errs []error
	for _, frame := range frames {
		errs = append(errs, l.Deliver(event.Out, frame))
	}
	return errs
}

// TestStepLetsTheEndGo closes a connection on which frames wait: the server
// learns of it when the last of them has been delivered.
func TestStepLetsTheEndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c, far := pipedLink(t, nil)
		defer l.Close()
		l.SetStepping(true)
		write(t, c, greeting(), exists(1))
		must(t, c.Close())
		synctest.Wait()
		if _, ended := far.got(); ended != 0 {
			t.Error("the end overtook a frame")
		}
		must(t, l.Deliver(event.Out, 2))
		synctest.Wait()
		if _, ended := far.got(); ended != 1 {
			t.Error("the server was not told of the end")
		}
	})
}

// TestStepKeepsNothingForNobody wants frames to a server that is gone to be
// dropped, not to wait.
func TestStepKeepsNothingForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c, far := pipedLink(t, nil)
		defer l.Close()
		l.SetStepping(true)
		write(t, c, greeting(), exists(1))
		synctest.Wait()
		must(t, far.ends[0].Close())
		synctest.Wait()
		if waiting := l.Waiting(); len(waiting) > 0 {
			t.Errorf("waiting for nobody: %+v", waiting)
		}
	})
}

func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c, far := pipedLink(t, nil)
		defer l.Close()
		write(t, c, greeting(), exists(7))
		synctest.Wait()
		l.SetDelay(time.Hour, 0)
		write(t, c, exists(8)) // is on its way when the stepping begins
		l.SetStepping(true)
		time.Sleep(time.Second)
		write(t, c, exists(9), ping())
		_, err := far.ends[0].Write(slices.Concat(greeting(), framed(make([]byte, 16)), framed(make([]byte, 16))))
		must(t, err)
		synctest.Wait()
		want := []link.Waiting{
			{Dir: event.Out, Frame: 3, At: 0, Op: "exists", Path: "/a", First: true},
			{Dir: event.Out, Frame: 4, At: 1e6, Op: "exists", Path: "/a"},
			{Dir: event.In, Frame: 2, At: 1e6, First: true}, // answers that nobody asked for
			{Dir: event.In, Frame: 3, At: 1e6},
		}
		if diff := cmp.Diff(want, l.Waiting()); diff != "" {
			t.Errorf("waiting (-want +got):\n%s", diff)
		}
		l.SetStepping(false)
		if waiting := l.Waiting(); len(waiting) > 0 {
			t.Errorf("waiting after the stepping: %+v", waiting)
		}
	})
}
