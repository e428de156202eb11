package event

import (
	"fmt"
	"os"
	"sync"

	"github.com/zkplayground/zkplayground/playground/internal/disk"
)

// A reserve is room on a disk, set aside in a file of zeros until the disk is
// full. A ZooKeeper that shares the disk dies when it can write nothing; with
// the room it comes back, the run can end as it should, and the next one start.
type reserve struct {
	dir string

	mu   sync.Mutex
	file *os.File
	over bool // it is not to be taken any more
}

// maxReserve is some ten thousand transactions of ZooKeeper's. A reserve is at
// most a quarter of what is free.
const maxReserve = 8 << 20

// check takes the reserve if that has not been done yet, and says whether the
// disk is full. A disk that is full from the start has no reserve to give back,
// so a log is left alone there until it needs the disk.
func (r *reserve) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil
	}
	if r.file == nil {
		r.over = !r.take()
		return nil
	}
	return diskFull(r.dir)
}

// take says whether there is room to be had. When somebody else takes it at the
// same time there is less in the reserve, and the next check finds a full disk. The
// caller holds the mutex.
func (r *reserve) take() bool {
	free, ok := disk.Free(r.dir)
	size := min(maxReserve, free/4)
	if !ok || size < fullBelow {
		return false
	}
	file, err := disk.Temporary(r.dir, "reserve-*")
	if err != nil {
		return false
	}
	r.file = file
	zeros := make([]byte, 1<<16)
	for written := int64(0); written < size && err == nil; written += int64(len(zeros)) {
		_, err = file.Write(zeros)
	}
	return true
}

// free gives the room back for good.
func (r *reserve) free() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.release()
}

// release removes the file. The caller holds the mutex.
func (r *reserve) release() {
	_ = disk.Remove(r.file) // there is nothing in it
	r.file = nil
}

// fullBelow is how many free bytes are too few to go on with.
const fullBelow = 256 << 10

// diskFull says that the disk is full, if that can be told here.
func diskFull(dir string) error {
	free, ok := disk.Free(dir)
	if !ok || free >= fullBelow {
		return nil
	}
	return fmt.Errorf("the disk of %s is full, only %d bytes are free", disk.Directory(dir), free)
}
