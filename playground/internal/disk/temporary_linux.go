package disk

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Temporary makes a temporary file that never has a name, so that nothing is left
// of a program that is killed, at whatever instant. Where the disk cannot do that it has
// one for a moment.
func Temporary(dir, pattern string) (*os.File, error) {
	descriptor, err := unix.Open(Directory(dir), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return createNamed(dir, pattern)
	}
	name := strings.Replace(pattern, "*", rand.Text(), 1) // for messages
	return os.NewFile(uintptr(descriptor), filepath.Join(Directory(dir), name)), nil
}
