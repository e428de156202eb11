package child

import "syscall"

// attributes keeps the terminal's Ctrl-C from the server, which we stop
// ourselves, and has the kernel kill it when we die without doing so.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
