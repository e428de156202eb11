package child

import (
	"errors"
	"syscall"
)

// Kill cannot be done: signals are missing.
func Kill(int, syscall.Signal) error { return errors.ErrUnsupported }

func attributes() *syscall.SysProcAttr { return nil }
