package recipe

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// AskPause is between two attempts of a request that nobody answered.
const AskPause = 20 * time.Millisecond

// Ask makes a request on the client's own connection, past zklock, as the broken
// recipes do, and repeats it until it is answered. An error is either
// the answer or that of ctx.
func Ask[T any](ctx context.Context, p Process, request func(*zk.Conn) (T, error)) (T, error) {
	for {
		answer, err := Send(ctx, p, request)
		if Answered(err) || p.Ending() || !clock.Sleep(ctx, AskPause) {
			return answer, err
		}
	}
}

// Send makes a request once. Go-zookeeper cannot cancel it; when ctx ends first,
// it is left to the background, which the end of the session ends.
func Send[T any](ctx context.Context, p Process, request func(*zk.Conn) (T, error)) (T, error) {
	type reply struct {
		answer T
		err    error
	}
	conn := p.Session().Client().(*zk.Conn) // as after every zklock.Dial
	replies := make(chan reply, 1)
	p.Go(func() {
		answer, err := request(conn)
		replies <- reply{answer, err}
	})
	select {
	case r := <-replies:
		return r.answer, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// Answered says that err came from a server, or that there was none. After
// anything else nobody knows whether the request was carried out.
func Answered(err error) bool {
	lost := []error{zk.ErrConnectionClosed, zk.ErrNoServer, zk.ErrSessionExpired, zk.ErrSessionMoved, zk.ErrClosing, net.ErrClosed}
	for _, unknown := range lost {
		if errors.Is(err, unknown) {
			return false
		}
	}
	var broken net.Error
	return !errors.As(err, &broken)
}
