package chroot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// maxPending is how many requests may wait for their replies before the client is
	// not read any further.
	maxPending = 1000
	chunkSize  = 16 << 10
	// slowedEvery is how often it is told at most that a client asks for too much.
	slowedEvery = 10 * time.Second
)

var (
	// ErrStalled: the client does not read the replies.
	ErrStalled = errors.New("chroot: the client does not read")
	// ErrLeft: the client has gone without closing its session.
	ErrLeft = errors.New("chroot: the client has left without closing its session")
	// ErrServer: the connection to the server is lost.
	ErrServer = errors.New("chroot: the connection to the server is lost")
)

// A relay carries the frames of one guest. One goroutine carries its requests and
// another the replies. Both send to the guest, so that what is sent is made and sent
// under one mutex.
type relay struct {
	config  Config
	guest   net.Conn
	who     *Guest
	server  net.Conn  // nil until the guest's first frame has come
	slowed  time.Time // when it was last told that the guest asks for too much
	replies sync.WaitGroup

	mu     sync.Mutex
	conn   *Conn
	room   *sync.Cond // for more pending requests, or the end
	ended  bool
	reason error // why it has ended
}

func newRelay(config Config, conn *Conn, guest net.Conn, who *Guest) *relay {
	r := &relay{config: config, conn: conn, guest: guest, who: who}
	r.room = sync.NewCond(&r.mu)
	return r
}

// run carries frames until one side ends, and says why it did; nil if the guest or
// ctx wanted it. The guest has begun with these bytes.
func (r *relay) run(ctx context.Context, begun []byte) error {
	requests := wire.NewFramer(maxFrame)
	take := func(frame []byte) error { return r.request(ctx, frame) }
	err := feed(requests, begun, take)
	if err == nil {
		err = read(r.guest, requests, take, ErrLeft)
	}
	r.finish(err)
	r.replies.Wait()
	if errors.Is(r.reason, ErrExpired) {
		linger(r.guest)
	}
	if ctx.Err() != nil || r.conn.Ended() {
		return nil
	}
	return r.reason
}

// finish ends both directions. The first reason is why.
func (r *relay) finish(reason error) {
	r.mu.Lock()
	if !r.ended {
		r.ended, r.reason = true, reason
	}
	r.mu.Unlock()
	r.room.Broadcast()
	_ = r.guest.SetReadDeadline(time.Now()) // fails only if it is closed
	if r.server != nil {
		r.server.Close()
	}
}

// read carries the frames of one direction until its connection is lost.
func read(from net.Conn, framer *wire.Framer, take func(frame []byte) error, lost error) error {
	chunk := make([]byte, chunkSize)
	for {
		n, err := from.Read(chunk)
		if failure := feed(framer, chunk[:n], take); failure != nil {
			return failure
		}
		if err != nil {
			return fmt.Errorf("%w: %w", lost, err)
		}
	}
}

// feed takes each frame that the chunk completes, until one fails.
func feed(framer *wire.Framer, chunk []byte, take func(frame []byte) error) error {
	var failure error
	err := framer.Feed(chunk, func(frame []byte) {
		if failure == nil {
			failure = take(frame)
		}
	})
	return errors.Join(failure, err)
}

// request carries one frame of the guest.
func (r *relay) request(ctx context.Context, frame []byte) error {
	server, wait, err := r.translate(frame)
	if err == nil && wait > 0 {
		r.slow(ctx, wait)
	}
	if err != nil || len(server) == 0 {
		return err
	}
	if r.server == nil {
		if err := r.dial(ctx); err != nil {
			return err
		}
	}
	if _, err := r.server.Write(server); err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	return nil
}

// slow keeps the guest waiting. Nothing more of it is read meanwhile.
func (r *relay) slow(ctx context.Context, wait time.Duration) {
	if now := time.Now(); now.Sub(r.slowed) >= slowedEvery {
		r.slowed = now
		r.config.Slowed(*r.who)
	}
	clock.Sleep(ctx, wait)
}

// translate returns what goes to the server, and when, and sends what goes back at once.
func (r *relay) translate(frame []byte) (server []byte, wait time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.conn.Pending() >= maxPending && !r.ended {
		r.room.Wait()
	}
	if r.ended {
		return nil, 0, r.reason
	}
	server, client, err := r.conn.Request(frame)
	return server, r.conn.Wait(), errors.Join(r.say(client), err)
}

// dial connects to the server when the guest's first frame has come.
func (r *relay) dial(ctx context.Context) error {
	r.who.Session = r.conn.Asked()
	if err := r.guest.SetDeadline(time.Time{}); err != nil {
		return err
	}
	server, err := r.config.Dial(ctx, *r.who)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	r.server = server
	r.replies.Go(func() { r.carryReplies(ctx) })
	return nil
}

// carryReplies carries the server's frames until one side ends.
func (r *relay) carryReplies(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { r.server.Close() })()
	r.finish(read(r.server, wire.NewFramer(0), r.reply, ErrServer))
}

func (r *relay) reply(frame []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	client, err := r.conn.Reply(frame)
	r.room.Broadcast()
	return errors.Join(r.say(client), err)
}

// say sends to the guest; the caller has r.mu.
func (r *relay) say(client []byte) error {
	if len(client) == 0 {
		return nil
	}
	if err := r.guest.SetWriteDeadline(time.Now().Add(r.config.StallTimeout)); err != nil {
		return err
	}
	_, err := r.guest.Write(client)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w for %v", ErrStalled, r.config.StallTimeout)
	}
	return err
}
