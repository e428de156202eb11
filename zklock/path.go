package zklock

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-zookeeper/zk"
)

// trimPath drops the trailing slashes of a path. Nothing else is tidied: what
// would name another znode than it seems to is left for checkPath to refuse.
func trimPath(dir string) string {
	trimmed := strings.TrimRight(dir, "/")
	if trimmed == "" && dir != "" {
		return "/"
	}
	return trimmed
}

// checkPath returns an error that wraps zk.ErrInvalidPath when the server would
// not take a trimmed path.
func checkPath(dir string) error {
	switch {
	case !strings.HasPrefix(dir, "/"):
		return fmt.Errorf("%w: %q is not absolute", zk.ErrInvalidPath, dir)
	case !utf8.ValidString(dir) || strings.ContainsFunc(dir, forbidden):
		return fmt.Errorf("%w: %q has a character that no path may have", zk.ErrInvalidPath, dir)
	case dir != "/" && slices.ContainsFunc(strings.Split(dir[1:], "/"), unnamable):
		return fmt.Errorf("%w: %q has an element that is no name", zk.ErrInvalidPath, dir)
	default:
		return nil
	}
}

// unnamable reports whether a znode can have no such name.
func unnamable(name string) bool { return name == "" || name == "." || name == ".." }

// forbidden reports whether ZooKeeper allows no path with r in it. It checks
// units of UTF-16, and takes halves of larger characters for such.
func forbidden(r rune) bool {
	return unicode.IsControl(r) || '\ue000' <= r && r <= '\uf8ff' || '\ufff0' <= r
}
