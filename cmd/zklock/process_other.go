//go:build unix && !linux

package main

import "syscall"

func attributes(alone bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: !alone} }
