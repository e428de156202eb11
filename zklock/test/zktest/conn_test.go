package zktest

import (
	"errors"
	"io"
	"net"
	"testing"
)

func TestUnfailingConnClosesInsteadOfFailing(t *testing.T) {
	own, other := net.Pipe()
	other.Close()
	conn := unfailingConn{own}
	if n, err := conn.Write([]byte("abc")); n != 3 || err != nil {
		t.Errorf("Write = %d, %v, want 3 and no error", n, err)
	}
	if _, err := own.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("after a failed write the connection is open: %v", err)
	}
}
