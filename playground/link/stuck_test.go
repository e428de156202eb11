package link_test

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/link"
)

// TestServerThatReadsNothing holds a connection that its client has closed no longer than
// it takes to give the server up.
func TestServerThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer server.Close()
		l := link.New(link.Config{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }})
		defer l.Close()
		conn, err := l.Dial("tcp", "", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		frame := []byte{0, 0, 0, 4, 1, 2, 3, 4}
		write := func(conn net.Conn) {
			if _, err := conn.Write(frame); err != nil {
				t.Fatal(err)
			}
		}
		write(conn)
		if _, err := io.ReadFull(server, make([]byte, len(frame))); err != nil {
			t.Fatal(err)
		}
		write(server) // the handshake is over
		write(conn)
		synctest.Wait() // it is stuck on its way to the server
		conn.Close()
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, err := server.Read(make([]byte, 100)); err == nil {
			t.Error("after an hour the connection is still open")
		}
	})
}
