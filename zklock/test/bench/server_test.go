package main

import (
	"testing"

	"github.com/prometheus/procfs"
)

func TestFileSystem(t *testing.T) {
	mounts := []*procfs.MountInfo{
		{MountPoint: "/", FSType: "ext4"},
		{MountPoint: "/dev/shm", FSType: "tmpfs"},
		{MountPoint: "/data", FSType: "ext4"},
		{MountPoint: "/data", FSType: "xfs"},
	}
	tests := []struct {
		mounts    []*procfs.MountInfo
		dir, want string
	}{
		{mounts, "/dev/shm", "tmpfs"},
		{mounts, "/dev/shm/zkbench-1", "tmpfs"},
		{mounts, "/dev/shmoo", "ext4"},
		{mounts, "/data/x", "xfs"},
		{mounts, "/tmp", "ext4"},
		{nil, "/tmp", "an unknown file system"},
	}
	for _, test := range tests {
		if got := fileSystem(test.mounts, test.dir); got != test.want {
			t.Errorf("%s is on %s, want %s", test.dir, got, test.want)
		}
	}
}
