package main

import "syscall"

// attributes has the system kill the command when zklock is killed.
func attributes(alone bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: !alone, Pdeathsig: syscall.SIGKILL}
}
