//go:build linux || darwin

package event

import "syscall"

// freeBytes is how much room the disk of a directory has for us; ok is false when
// that cannot be told.
func freeBytes(dir string) (free int64, ok bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(directory(dir), &stat); err != nil {
		return 0, false
	}
	return int64(stat.Bavail) * int64(stat.Bsize), true
}
