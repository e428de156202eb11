package zkserver_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// listen answers each connection with text and closes it, or, if text is
// empty, keeps it open and says nothing.
func listen(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() { listener.Close(); serving.Wait() })
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if text == "" {
				t.Cleanup(func() { conn.Close() })
				continue
			}
			io.ReadFull(conn, make([]byte, 4))
			io.WriteString(conn, text)
			conn.Close()
		}
	})
	return listener.Addr().String()
}

func TestProbeOfSomethingElse(t *testing.T) {
	_, err := probeInTime(t, listen(t, "220 ready\r\n"))
	if !errors.Is(err, zkserver.ErrNotZooKeeper) {
		t.Errorf("Probe = %v, want ErrNotZooKeeper", err)
	}
}

// probeInTime asks until there is an answer or a refusal: a machine that stands
// still may make one late.
func probeInTime(t *testing.T, address string) (stats zkserver.Stats, err error) {
	t.Helper()
	eventually(t, "an answer in time", func() bool {
		stats, err = zkserver.Probe(t.Context(), address)
		return !errors.Is(err, context.DeadlineExceeded)
	})
	return stats, err
}

// probe asks a server that serves.
func probe(t *testing.T, address string) zkserver.Stats {
	t.Helper()
	stats, err := probeInTime(t, address)
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

func TestProbeOfNobody(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if _, err := zkserver.Probe(t.Context(), listener.Addr().String()); err == nil {
		t.Error("Probe of a closed port succeeded")
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := zkserver.Probe(ctx, listen(t, "")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Probe of a mute server = %v, want DeadlineExceeded", err)
	}
}

func TestReadyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := zkserver.Ready(ctx, listen(t, "This ZooKeeper instance is not currently serving requests\n"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Ready = %v, want DeadlineExceeded", err)
	}
}
