package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

const (
	// memoryDir is where Linux offers files in memory.
	memoryDir = "/dev/shm"
	// stopTimeout is beyond the time that a server's stop may take.
	stopTimeout = 10 * time.Second
)

// A server is the ZooKeeper of one run of the benchmark.
type server struct {
	*zkserver.Server
	dir    string // its data; removed at the end
	medium string // the file system there
}

// boot starts a server with its data in a new directory below dir, or in
// memory when dir is empty. Should the server die, fail is told.
func boot(ctx context.Context, dir string, fail context.CancelCauseFunc) (*server, error) {
	if dir == "" {
		dir = defaultDir()
	}
	dir, err := os.MkdirTemp(dir, "zkbench-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the server: %w", err)
	}
	s, err := zkserver.Start(ctx, zkserver.Config{
		Dir: dir, JVM: []string{}, MaxSession: sessionTimeout,
		Notify: func(c zkserver.Change) { fail(c.Err) },
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &server{s, dir, medium(dir)}, nil
}

// stop ends the server and removes its data.
func (s *server) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return errors.Join(s.Stop(ctx), os.RemoveAll(s.dir))
}

// String says, in one line, what the figures were measured on.
func (s *server) String() string {
	return fmt.Sprintf("ZooKeeper %s, standalone, data on %s (%s), its log not forced to it; %d of %d processors for the contenders",
		s.Version(), s.medium, filepath.Dir(s.dir), runtime.GOMAXPROCS(0), runtime.NumCPU())
}

func defaultDir() string {
	if medium(memoryDir) == "tmpfs" {
		return memoryDir
	}
	return os.TempDir()
}

// medium names the file system in which dir is, as far as the system tells.
func medium(dir string) string {
	mounts, _ := procfs.GetMounts()
	return fileSystem(mounts, dir)
}

// fileSystem finds the type of the file system in which dir is: the longest place wins, and
// of the same place the last.
func fileSystem(mounts []*procfs.MountInfo, dir string) string {
	found, length := "an unknown file system", -1
	for _, mount := range mounts {
		if below(dir, mount.MountPoint) && len(mount.MountPoint) >= length {
			found, length = mount.FSType, len(mount.MountPoint)
		}
	}
	return found
}

// below reports whether dir is place or in it.
func below(dir, place string) bool {
	return place == "/" || dir == place || strings.HasPrefix(dir, place+"/")
}
