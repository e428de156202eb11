package zktest

import (
	"errors"
	"testing"
	"time"
)

// No server is started on Windows, so no test has a process there.

func Freeze(int) error { return errors.ErrUnsupported }

func Thaw(int) error { return errors.ErrUnsupported }

func Running(int) bool { return false }

func ProcessorTime(testing.TB) time.Duration { return 0 }
