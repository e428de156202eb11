package lessons_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestClaims asks a real server whether sentences of the lessons are true that no run
// of a lesson shows.
func TestClaims(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	conn, anyone := server.Conn(t), zk.WorldACL(zk.PermAll)
	create := func(path string, flags int32) {
		t.Helper()
		if _, err := conn.Create(path, nil, flags, anyone); err != nil {
			t.Fatal(err)
		}
	}

	t.Run("01: a container has no owner", func(t *testing.T) {
		if _, err := conn.CreateContainer("/container", nil, zk.FlagContainer, anyone); err != nil {
			t.Fatal(err)
		}
		_, stat, err := conn.Exists("/container")
		if err != nil || stat.EphemeralOwner != 0 {
			t.Errorf("its owner is %#x, %v", stat.EphemeralOwner, err)
		}
	})

	t.Run("08: a read leaves no watch on what is gone, exists does", func(t *testing.T) {
		if _, _, _, err := conn.GetW("/gone-for-get"); !errors.Is(err, zk.ErrNoNode) {
			t.Error(err)
		}
		if found, _, _, err := conn.ExistsW("/gone-for-exists"); found || err != nil {
			t.Error(found, err)
		}
		watched := ask(t, server.Address(), "wchp")
		if strings.Contains(watched, "/gone-for-get") || !strings.Contains(watched, "/gone-for-exists") {
			t.Errorf("the server has the watches\n%s", watched)
		}
	})

	t.Run("11: a second delete hits the next holder, whatever the version", func(t *testing.T) {
		for _, version := range []int32{-1, 0} {
			create("/holder", zk.FlagEphemeral)
			if err := conn.Delete("/holder", version); err != nil {
				t.Fatal(err)
			}
			create("/holder", zk.FlagEphemeral) // the next holder
			if err := conn.Delete("/holder", version); err != nil {
				t.Errorf("the second delete of version %d: %v", version, err)
			}
		}
	})
}

// ask sends one of the four-letter words to a server, and returns the answer.
func ask(t *testing.T, address, word string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, word); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}
