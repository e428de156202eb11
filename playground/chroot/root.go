package chroot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// ErrRoot: the path cannot be the root of a client.
var ErrRoot = errors.New("chroot: not a path to be a root")

const (
	slash = "/"
	// reserved is what a server keeps for itself. A subtree has none.
	reserved = "/zookeeper"
	// config is where a client looks for the servers of an ensemble.
	config = "/zookeeper/config"
	// nowhere, below a root, is where no znode can be: a server takes a path with
	// this character for a bad argument if it is to write there, and else finds
	// nothing.
	nowhere = "/\x00"
)

// A root is the path that a client sees as "/".
type root string

func newRoot(path string) (root, error) {
	if len(path) < 2 || !strings.HasPrefix(path, slash) || strings.HasSuffix(path, slash) || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("%w: %q", ErrRoot, path)
	}
	return root(path), nil
}

// server is the server's path for a path of the client's.
func (r root) server(kind wire.FieldKind, path string) string {
	switch {
	case path == slash, path == "" && kind == wire.PrefixField:
		return r.top(kind)
	case !strings.HasPrefix(path, slash), wire.Within(path, reserved):
		return string(r) + nowhere + path
	}
	return string(r) + path
}

// top is the server's path for the client's root. A number is added below it, not to
// it, nor does a prefix end with it; and it cannot be deleted, as no root can.
func (r root) top(kind wire.FieldKind) string {
	switch kind {
	case wire.SequentialField, wire.PrefixField:
		return string(r) + slash
	case wire.DeleteField:
		return string(r) + nowhere + slash
	}
	return string(r)
}

// client is the client's path for one of the server's; false if it is outside.
func (r root) client(path string) (string, bool) {
	if path == string(r) {
		return slash, true
	}
	if !wire.Within(path, string(r)) {
		return "", false
	}
	if r.isNowhere(path) {
		return path[len(r)+len(nowhere):], true
	}
	return path[len(r):], true
}

// isNowhere says whether a server's path is one that no znode can have.
func (r root) isNowhere(path string) bool { return strings.HasPrefix(path, string(r)+nowhere) }
