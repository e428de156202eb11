//go:build !linux

package disktest

import "testing"

// New skips the test: only on Linux is there a small disk to be had.
func New(tb testing.TB, size int64) (dir string) {
	tb.Skip("a small disk can be mounted on Linux only")
	return ""
}

// Fill is not called.
func Fill(testing.TB, string) (file string) { return "" }

// AwaitTaken is not called.
func AwaitTaken(testing.TB, string, int64) {}

// Free is not called.
func Free(testing.TB, string) int64 { return 0 }
