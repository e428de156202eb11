//go:build unix && !linux

package program

import "syscall"

// Only Linux tells who has started whom, and gives us what is left behind. Elsewhere what
// leaves the program's process group is not found.

func adoptOrphans() {}

func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (s *supervised) processes() []int { return nil }
