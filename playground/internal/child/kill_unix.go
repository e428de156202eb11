//go:build unix

package child

import "syscall"

// Kill sends a signal to a process, or to the group of processes -pid.
func Kill(pid int, sig syscall.Signal) error { return syscall.Kill(pid, sig) }
