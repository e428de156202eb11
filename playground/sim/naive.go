package sim

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/go-zookeeper/zk"
)

// askPause is between two attempts of a request that nobody answered.
const askPause = 20 * time.Millisecond

// ask makes a request of the client's own connection, past zklock, as the
// museum's recipes do, and repeats it until it is answered. An error is either
// the answer or that of ctx.
func ask[T any](ctx context.Context, c *client, request func(*zk.Conn) (T, error)) (T, error) {
	for {
		answer, err := send(ctx, c, request)
		if answered(err) || c.departed() || !sleep(ctx, askPause) {
			return answer, err
		}
	}
}

// departed says that the client is gone or about to be, and its session too:
// there is nothing that it should insist on.
func (c *client) departed() bool { return c.gone.Load() || c.left.Load() }

// send makes a request once. Go-zookeeper cannot cancel it; when ctx ends first,
// it is left to the background, which the end of the session ends.
func send[T any](ctx context.Context, c *client, request func(*zk.Conn) (T, error)) (T, error) {
	type reply struct {
		answer T
		err    error
	}
	conn := c.session.Load().Client().(*zk.Conn) // as after every zklock.Dial
	replies := make(chan reply, 1)
	c.background.Go(func() {
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

// answered says that err came from a server, or that there was none. After
// anything else nobody knows whether the request was carried out.
func answered(err error) bool {
	lost := []error{zk.ErrConnectionClosed, zk.ErrNoServer, zk.ErrSessionExpired, zk.ErrSessionMoved, zk.ErrClosing, net.ErrClosed}
	for _, unknown := range lost {
		if errors.Is(err, unknown) {
			return false
		}
	}
	var broken net.Error
	return !errors.As(err, &broken)
}
