//go:build unix

package zkserver

import (
	"os"
	"syscall"
)

// canManage says that servers can be started here.
func canManage() error { return nil }

// noFollow has a file opened only if it is no symbolic link.
const noFollow = syscall.O_NOFOLLOW

// ownedByUser says whether a file is this user's.
func ownedByUser(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// flock takes a lock that a process that inherits the file has, too; it does not wait.
func flock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
