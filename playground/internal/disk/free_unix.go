//go:build linux || darwin

package disk

import "syscall"

// Free is how much room the disk of a directory has for us; ok is false when
// that cannot be told.
func Free(dir string) (free int64, ok bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(Directory(dir), &stat); err != nil {
		return 0, false
	}
	return int64(stat.Bavail) * int64(stat.Bsize), true
}
