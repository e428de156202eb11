// Package disktest gives tests a small disk of their own, to be filled: what
// happens on a full disk is tried on one. It needs root, to mount a tmpfs; without
// root such a test is skipped.
package disktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// New mounts a disk of so many bytes and returns its directory. It is gone when
// the test ends.
func New(tb testing.TB, size int64) (dir string) {
	tb.Helper()
	dir = filepath.Join(tb.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	err := syscall.Mount("disktest", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0755", size))
	if errors.Is(err, syscall.EPERM) {
		tb.Skip("a small disk cannot be mounted without root: run the tests as root to try what happens on a full one")
	}
	if err != nil {
		tb.Fatalf("mount a small disk at %s: %v", dir, err)
	}
	tb.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			tb.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// Fill takes all room that the disk of dir has, and returns the file that takes it.
func Fill(tb testing.TB, dir string) (file string) {
	tb.Helper()
	f, err := os.CreateTemp(dir, "filled-*")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		tb.Fatalf("fill %s: %v", dir, err)
	}
	return f.Name()
}

// Free is how many bytes the disk of dir has left.
func Free(tb testing.TB, dir string) int64 {
	tb.Helper()
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		tb.Fatal(err)
	}
	return int64(stat.Bavail) * stat.Bsize
}
