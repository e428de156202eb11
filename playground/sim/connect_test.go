package sim

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// mute takes connections and says nothing, as a server that boots may.
func mute(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

// TestMuteServerIsPassedBy: it must not use up the time of the others.
func TestMuteServerIsPassedBy(t *testing.T) {
	servers := []string{mute(t), zktest.Start(t).Address()}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	client, err := connect(ctx, servers, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id, password, _ := client.Session()
	if err := expireSession(ctx, servers, id, password); err != nil {
		t.Errorf("expire a session: %v", err)
	}
	select {
	case <-client.Done():
	case <-ctx.Done():
		t.Error("the session still has its connection")
	}
	client.Close()
}

// TestExpireOfASessionThatIsOver: that several servers say so does not mean that
// one of them has done it.
func TestExpireOfASessionThatIsOver(t *testing.T) {
	address := zktest.Start(t).Address()
	client, err := wire.Dial(t.Context(), address, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id, password, _ := client.Session()
	servers := []string{address, address, address}
	if err := client.CloseSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := expireSession(t.Context(), servers, id, password); !errors.Is(err, wire.SessionExpired) {
		t.Errorf("%v, want %v", err, wire.SessionExpired)
	}
}
