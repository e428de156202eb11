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
	"time"
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

// AwaitTaken waits until at least so many bytes of a disk are taken.
func AwaitTaken(tb testing.TB, dir string, size int64) {
	tb.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for late := time.After(time.Minute); ; {
		stat := statfs(tb, dir)
		if int64(stat.Blocks-stat.Bfree)*stat.Bsize >= size {
			return
		}
		select {
		case <-poll.C:
		case <-late:
			tb.Fatalf("of %s less than %d bytes are taken after a minute", dir, size)
		}
	}
}

// Free is how many bytes the disk of dir has left.
func Free(tb testing.TB, dir string) int64 {
	tb.Helper()
	stat := statfs(tb, dir)
	return int64(stat.Bavail) * stat.Bsize
}

func statfs(tb testing.TB, dir string) (stat syscall.Statfs_t) {
	tb.Helper()
	if err := syscall.Statfs(dir, &stat); err != nil {
		tb.Fatal(err)
	}
	return stat
}
