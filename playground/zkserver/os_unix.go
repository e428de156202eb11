//go:build unix

package zkserver

import (
	"os"
	"syscall"
)

// canManage says that servers can be started here.
func canManage() error { return nil }

// noFollow opens no link that somebody else has put there.
const noFollow = syscall.O_NOFOLLOW

// ownedByUs says whether a file is this user's.
func ownedByUs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// lockFile takes a lock that whoever inherits the file has, too; it does not wait.
func lockFile(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// kill sends a signal to a process, or to the group of processes -pid.
func kill(pid int, sig syscall.Signal) error { return syscall.Kill(pid, sig) }
