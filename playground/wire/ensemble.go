package wire

import (
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// An Ensemble is one ZooKeeper by the addresses of its servers.
type Ensemble struct {
	// Addresses are host:port; at least one.
	Addresses []string
	// Ready blocks until ZooKeeper can be dialled; nil means always.
	Ready func(context.Context) error
	// SuperPassword is that of Options, for every connection.
	SuperPassword string
}

// AwaitReady returns when ZooKeeper can be dialled, or ctx's error.
func (z Ensemble) AwaitReady(ctx context.Context) error {
	if z.Ready == nil {
		return nil
	}
	return z.Ready(ctx)
}

// Dial opens a session with the first of the servers that takes it.
func (z Ensemble) Dial(ctx context.Context, o Options) (*Client, error) {
	o.SuperPassword = z.SuperPassword
	var errs []error
	for i, server := range z.Addresses {
		client, err := DialOneOf(ctx, server, len(z.Addresses)-i-1, o)
		if err == nil {
			return client, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// Do does something on a connection of its own, which owns nothing.
func (z Ensemble) Do(ctx context.Context, timeout time.Duration, do func(*Client) error) error {
	if err := z.AwaitReady(ctx); err != nil {
		return err
	}
	client, err := z.Dial(ctx, Options{Timeout: timeout})
	if err != nil {
		return err
	}
	return errors.Join(do(client), client.CloseSession(ctx))
}

// handshakeTimeout bounds a connection to one of several servers: one that
// boots takes connections and says nothing, while the others answer.
const handshakeTimeout = 500 * time.Millisecond

// handshakeContext is ctx for the handshake with a server that so many others
// can stand in for; the last one may take all the time that there is.
func handshakeContext(ctx context.Context, others int) (context.Context, context.CancelFunc) {
	if others > 0 {
		return context.WithTimeout(ctx, handshakeTimeout)
	}
	return context.WithCancel(ctx)
}

// DialOneOf is [Dial] of a server that so many others can stand in for: then it
// does not wait long for the answer.
func DialOneOf(ctx context.Context, server string, others int, o Options) (*Client, error) {
	ctx, cancel := handshakeContext(ctx, others)
	defer cancel()
	return Dial(ctx, server, o)
}

// expireTimeout bounds the forced end of a session, expirePause is between two
// attempts.
const (
	expireTimeout = 4 * time.Second
	expirePause   = 20 * time.Millisecond
)

// Expire ends a session that belongs to another client, as [Expire] does. It asks
// the servers in turn until one has done it, or knows that the session is over:
// the error is then SessionExpired. One that does not answer in time, as on a busy
// machine, is asked again. A server hangs up without a word on a session that it is
// closing just then, so after an attempt without an answer a session that is over is
// one that we have ended.
func (z Ensemble) Expire(ctx context.Context, id int64, password []byte) error {
	ctx, cancel := context.WithTimeout(ctx, expireTimeout)
	defer cancel()
	unsure := false
	for attempt := 0; ; attempt++ {
		err := z.expireAt(ctx, attempt, id, password)
		if unsure && errors.Is(err, SessionExpired) {
			return nil
		}
		if err == nil || errors.Is(err, SessionExpired) {
			return err
		}
		unanswered := hungUp(err) || errors.Is(err, context.DeadlineExceeded)
		unsure = unsure || unanswered
		if !unanswered && attempt+1 >= len(z.Addresses) || !clock.Sleep(ctx, expirePause) {
			return err
		}
	}
}

func (z Ensemble) expireAt(ctx context.Context, attempt int, id int64, password []byte) error {
	ctx, cancel := handshakeContext(ctx, len(z.Addresses)-1)
	defer cancel()
	return Expire(ctx, z.Addresses[attempt%len(z.Addresses)], id, password)
}

// hungUp says that a server took a connection and dropped it.
func hungUp(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) }
