package main

import "testing"

const mountList = `/dev/vda1 / ext4 rw,relatime 0 0
tmpfs /dev/shm tmpfs rw,nosuid 0 0
/dev/vdb /data ext4 rw 0 0
none /data xfs rw 0 0
`

func TestFileSystem(t *testing.T) {
	tests := []struct{ mounts, dir, want string }{
		{mountList, "/dev/shm", "tmpfs"},
		{mountList, "/dev/shm/zkbench-1", "tmpfs"},
		{mountList, "/dev/shmoo", "ext4"},
		{mountList, "/data/x", "xfs"},
		{mountList, "/tmp", "ext4"},
		{"", "/tmp", "an unknown file system"},
		{"broken\n\n", "/tmp", "an unknown file system"},
	}
	for _, test := range tests {
		if got := fileSystem(test.mounts, test.dir); got != test.want {
			t.Errorf("%s is on %s, want %s", test.dir, got, test.want)
		}
	}
}

func FuzzFileSystem(f *testing.F) {
	f.Add(mountList, "/dev/shm")
	f.Fuzz(func(t *testing.T, mounts, dir string) {
		if fileSystem(mounts, dir) == "" {
			t.Error("a file system without a name")
		}
	})
}
