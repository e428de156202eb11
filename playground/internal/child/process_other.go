//go:build unix && !linux

package child

import "syscall"

// attributes keeps the terminal's Ctrl-C from the server, which we stop
// ourselves. Only Linux can end a child whose parent was killed; elsewhere the next
// program ends it, see endOrphan.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
