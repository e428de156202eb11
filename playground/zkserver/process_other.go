//go:build unix && !linux

package zkserver

import "syscall"

// childAttr keeps the terminal's Ctrl-C from the server, which we stop
// ourselves. Only Linux can end a child whose parent was killed; elsewhere the next
// program ends it, see endOrphan.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
