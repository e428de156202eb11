package zklock

import (
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
)

// A deadClient is a connection that has been closed.
type deadClient struct{ Client }

func (deadClient) State() zk.State { return zk.StateDisconnected }

func (deadClient) Exists(string) (bool, *zk.Stat, error) { return false, nil, zk.ErrConnectionClosed }

// A connection that was closed long before Bind tells nothing more by itself.
func TestBindClosed(t *testing.T) {
	inBubble(t, func(k *talk) {
		k.event(zk.StateDisconnected)
		time.Sleep(2 * suspectAfter)
		k.Bind(deadClient{})
		if err := k.WaitConnected(k.T.Context()); !errors.Is(err, ErrClosed) {
			k.Errorf("WaitConnected = %v, want ErrClosed", err)
		}
	})
}

// A connection that is not the session's newest one does not end it.
func TestHangUpOfFormer(t *testing.T) {
	inBubble(t, func(k *talk) {
		k.handshake(1)
		former := k.conn
		k.event(zk.StateDisconnected)
		k.handshake(1)
		former.Write(stream(message(nil).int32(1).int32(opCloseSession)))
		if k.State() != Connected {
			k.Errorf("state %v, want connected", k.State())
		}
	})
}
