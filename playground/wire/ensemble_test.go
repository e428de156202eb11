package wire

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

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
	ensemble := Ensemble{Addresses: []string{mute(t), zktest.Start(t).Address()}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	client, err := ensemble.Dial(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id, password, _ := client.Session()
	if err := ensemble.Expire(ctx, id, password); err != nil {
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
	client, err := Dial(t.Context(), address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id, password, _ := client.Session()
	ensemble := Ensemble{Addresses: []string{address, address, address}}
	if err := client.CloseSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ensemble.Expire(t.Context(), id, password); !errors.Is(err, SessionExpired) {
		t.Errorf("%v, want %v", err, SessionExpired)
	}
}
