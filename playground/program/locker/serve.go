package locker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/program"
)

// A Lock is what a program offers.
type Lock interface {
	// Acquire blocks until the lock is held; read says that others may read as well.
	Acquire(ctx context.Context, read bool) (Hold, error)
}

// A Hold is one acquisition.
type Hold struct {
	// Token is the fence, 0 if there is none; Znode the holder's, empty if that is not known.
	Token int64
	Znode string
	// Lost is closed when the holder learns that it holds no more, nil when it never does;
	// Why says why, then.
	Lost <-chan struct{}
	Why  func() error
	// Release gives the lock back.
	Release func(ctx context.Context) error
}

// Serve speaks for a lock until the end of its input. It returns when nothing that it has
// begun is under way.
func Serve(ctx context.Context, in io.Reader, out io.Writer, lock Lock) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{ctx: ctx, lock: lock, out: json.NewEncoder(out)}
	defer s.turns.Wait()
	defer cancel()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m program.Message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return fmt.Errorf("read %q: %w", lines.Bytes(), err)
		}
		switch m.Type {
		case program.Acquire:
			release := make(chan struct{}, 1)
			s.release = release
			s.turns.Go(func() { s.turn(m, release) })
		case program.Release:
			s.release <- struct{}{}
		}
	}
	return lines.Err()
}

// A server is a Serve under way.
type server struct {
	ctx     context.Context
	lock    Lock
	turns   sync.WaitGroup
	release chan<- struct{} // of the turn under way

	mu  sync.Mutex
	out *json.Encoder
}

// say writes a message. One that cannot be written has no reader: the input ends, too.
func (s *server) say(m program.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.out.Encode(m)
}

func (s *server) turn(m program.Message, release <-chan struct{}) {
	ctx := s.ctx
	if m.DeadlineMillis > 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(m.DeadlineMillis)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	hold, err := s.lock.Acquire(ctx, m.Mode == "read")
	if err != nil {
		if s.ctx.Err() == nil {
			s.say(program.Message{Type: program.Failed, Turn: m.Turn, Why: err.Error()})
		}
		return
	}
	s.say(program.Message{Type: program.Acquired, Turn: m.Turn, Token: hold.Token, Znode: hold.Znode})
	select {
	case <-release:
	case <-hold.Lost:
		s.lost(m.Turn, hold)
		return
	case <-s.ctx.Done():
		return
	}
	if err := hold.Release(s.ctx); err != nil && s.ctx.Err() == nil {
		s.say(program.Message{Type: program.Lost, Turn: m.Turn, Why: err.Error()})
		return
	}
	s.say(program.Message{Type: program.Released, Turn: m.Turn})
}

// lost says so, and lets go of what may be left.
func (s *server) lost(turn int, hold Hold) {
	why := errors.New("lost")
	if hold.Why != nil {
		why = hold.Why()
	}
	s.say(program.Message{Type: program.Lost, Turn: turn, Why: fmt.Sprint(why)})
	_ = hold.Release(s.ctx) // it holds no more, whatever becomes of that
}
