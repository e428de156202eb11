package link

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A clockedQueue is a queue on a clock that the test moves, and what its observer was
// told.
type clockedQueue struct {
	*queue
	now  int64
	told []string
}

func newClockedQueue(way event.Direction) *clockedQueue {
	b := new(clockedQueue)
	b.queue = newQueue(newDirection(way, Config{Clock: func() int64 { return b.now }, Observer: b}))
	return b
}

func (b *clockedQueue) note(what string, f *wire.Frame) {
	b.told = append(b.told, fmt.Sprintf("%d: %s %s%d due %d", b.now, what, f.Dir, f.Number, f.Due))
}

func (b *clockedQueue) Sent(f *wire.Frame)      { b.note("sent", f) }
func (b *clockedQueue) Delivered(f *wire.Frame) { b.note("delivered", f) }
func (b *clockedQueue) Held(f *wire.Frame)      { b.note("held", f) }
func (b *clockedQueue) Dropped(f *wire.Frame)   { b.note("dropped", f) }
func (b *clockedQueue) Received(f *wire.Frame)  { b.note("received", f) }

func (b *clockedQueue) put(t *testing.T) {
	t.Helper()
	if err := b.push(new(wire.Frame), []byte("frame")); err != nil {
		t.Errorf("push: %v", err)
	}
}

// drain takes all that is due.
func (b *clockedQueue) drain() error {
	for {
		p, _, err := b.take()
		if err != nil || p.frame == nil {
			return err
		}
	}
}

const ms = time.Millisecond

func TestQueueTellsTheWayOfAFrame(t *testing.T) {
	tests := []struct {
		name string
		way  event.Direction
		do   func(t *testing.T, b *clockedQueue)
		want []string
	}{
		{"out at once", event.Out, func(t *testing.T, b *clockedQueue) {
			b.put(t)
			b.drain()
		}, []string{"0: sent out1 due 0"}},
		{"in at once", event.In, func(t *testing.T, b *clockedQueue) {
			b.put(t)
			b.drain()
		}, []string{"0: received in1 due 0"}},
		{"out delayed", event.Out, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.now = 4999
			b.drain()
			b.now = 5000
			b.drain()
		}, []string{"0: sent out1 due 5000", "5000: delivered out1 due 5000"}},
		{"in delayed", event.In, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.now = 6000
			b.drain()
		}, []string{"0: held in1 due 5000", "6000: received in1 due 5000"}},
		{"a shorter delay overtakes nothing", event.Out, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.setDelay(0)
			b.now = 1000
			b.put(t)
			b.drain()
			b.now = 5000
			b.put(t)
			b.drain()
		}, []string{"0: sent out1 due 5000", "1000: sent out2 due 5000", "5000: sent out3 due 0",
			"5000: delivered out1 due 5000", "5000: delivered out2 due 5000"}},
		{"held before it is sent", event.Out, func(t *testing.T, b *clockedQueue) {
			b.block("test")
			b.put(t)
			b.now = 9000
			b.drain()
			b.unblock("test")
			b.resume()
			b.drain()
		}, []string{"0: sent out1 due 0", "0: held out1 due 0", "9000: delivered out1 due 0"}},
		{"held on its way, released in time", event.In, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.now = 1000
			b.block("test")
			b.suspend()
			b.now = 2000
			b.unblock("test")
			b.resume()
			b.now = 5000
			b.drain()
		}, []string{"0: held in1 due 5000", "1000: held in1 due 0", "2000: held in1 due 5000", "5000: received in1 due 5000"}},
		{"arrived while the client stands still", event.In, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.setPaused(true)
			b.put(t)
			b.now = 2000
			b.setPaused(false)
			b.resume()
			b.setPaused(true)
			b.suspend()
			b.now = 9000
			b.drain()
			b.setPaused(false)
			b.resume()
			b.drain()
		}, []string{"0: held in1 due 0", "2000: held in1 due 5000", "2000: held in1 due 0", "9000: received in1 due 0"}},
		{"delivered by hand", event.Out, func(t *testing.T, b *clockedQueue) {
			b.setStepping(true)
			b.put(t)
			b.setDelay(5 * ms)
			b.put(t)
			b.now = 1000
			b.drain()
			b.deliver(1)
			b.deliver(2)
			b.drain()
			b.now = 5000
			b.drain()
		}, []string{"0: sent out1 due 0", "0: held out1 due 0", "0: sent out2 due 0", "0: held out2 due 0",
			"1000: held out2 due 5000", "1000: delivered out1 due 0", "5000: delivered out2 due 5000"}},
		{"with jitter", event.In, func(t *testing.T, b *clockedQueue) {
			b.setDelay(1 * ms)
			draws := []float64{0.5, 0.1, 0.9}
			b.random = func() float64 {
				draw := draws[0]
				draws = draws[1:]
				return draw
			}
			b.slow(0, 10*ms)
			b.put(t)
			b.put(t)
			b.put(t)
			b.slow(0, 0)
			b.put(t)
		}, []string{"0: held in1 due 6000", "0: held in2 due 6000", "0: held in3 due 10000", "0: held in4 due 10000"}},
		{"slow", event.In, func(t *testing.T, b *clockedQueue) {
			b.setDelay(1 * ms)
			b.slow(3*ms, 0)
			b.put(t)
			b.setDelay(4 * ms)
			b.put(t)
			b.slow(0, 0)
			b.now = 1000
			b.put(t)
		}, []string{"0: held in1 due 3000", "0: held in2 due 4000", "1000: held in3 due 5000"}},
		{"cut", event.Out, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.cut(ErrCut)
			b.now = 9000
			b.drain()
		}, []string{"0: sent out1 due 5000", "0: dropped out1 due 5000"}},
		{"the other end is gone", event.Out, func(t *testing.T, b *clockedQueue) {
			b.setDelay(5 * ms)
			b.put(t)
			b.serverLeft()
			b.now = 5000
			b.drain()
			b.put(t)
		}, []string{"0: sent out1 due 5000", "5000: dropped out1 due 5000", "5000: sent out2 due 0", "5000: dropped out2 due 0"}},
	}
	for _, tt := range tests {
		b := newClockedQueue(tt.way)
		tt.do(t, b)
		if diff := cmp.Diff(tt.want, b.told); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestQueueEndTravelsLikeAFrame(t *testing.T) {
	b := newClockedQueue(event.In)
	b.setDelay(5 * ms)
	b.put(t)
	b.now = 1000
	b.finish(io.EOF)
	b.finish(errors.New("a second end"))
	b.now = 5999
	if err := b.drain(); err != nil {
		t.Errorf("the end came before its time: %v", err)
	}
	b.block("test")
	b.now = 7000
	if err := b.drain(); err != nil {
		t.Errorf("the end came through a partition: %v", err)
	}
	b.unblock("test")
	for range 2 {
		if err := b.drain(); err != io.EOF {
			t.Errorf("at its time the end is %v, want EOF", err)
		}
	}
}

func TestQueueRefusesFramesAfterItsEnd(t *testing.T) {
	closed, cut, full := newClockedQueue(event.Out), newClockedQueue(event.Out), newClockedQueue(event.Out)
	closed.finish(net.ErrClosed)
	cut.cut(ErrKilled)
	tests := []struct {
		name  string
		queue *clockedQueue
		raw   []byte
		want  error
	}{
		{"closed", closed, nil, net.ErrClosed},
		{"cut", cut, nil, ErrKilled},
		{"full", full, make([]byte, maxQueued+1), ErrOverflow},
	}
	for _, tt := range tests {
		if err := tt.queue.push(new(wire.Frame), tt.raw); !errors.Is(err, tt.want) || len(tt.queue.told) > 0 {
			t.Errorf("%s: %v, told %q; want %v and nothing", tt.name, err, tt.queue.told, tt.want)
		}
	}
}

func TestQueueDeadline(t *testing.T) {
	b := newClockedQueue(event.In)
	b.setDeadline(time.Now().Add(-time.Second))
	if _, err := b.next(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("past the deadline: %v, want ErrDeadlineExceeded", err)
	}
	b.put(t)
	if p, err := b.next(); err != nil || p.frame == nil {
		t.Errorf("a frame that is there lost to a deadline that has passed: %v", err)
	}
}

func TestQueueDeadlineWakesASleeper(t *testing.T) {
	b := newClockedQueue(event.In)
	woken := make(chan error)
	go func() {
		_, err := b.next()
		woken <- err
	}()
	b.setDeadline(time.Now())
	select {
	case err := <-woken:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("woken with %v, want ErrDeadlineExceeded", err)
		}
	case <-time.After(time.Minute):
		t.Error("a deadline did not wake the sleeper")
	}
}

// TestBlockAgainChangesNothing: what waits already is told of once.
func TestBlockAgainChangesNothing(t *testing.T) {
	d := newDirection(event.Out, Config{Clock: func() int64 { return 0 }, Observer: noObserver{}})
	if !d.block("a") || d.block("a") {
		t.Error("want that the first block of a name shuts the direction, and the second changes nothing")
	}
	if d.unblock("b") || !d.unblock("a") || d.isBlocked() {
		t.Error("want that the end of the one block opens the direction")
	}
}
