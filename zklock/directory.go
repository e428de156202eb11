package zklock

import (
	"errors"
	"sync"

	"github.com/go-zookeeper/zk"
)

// A directory is what a session has last seen of a lock directory. It decides
// only which requests to try: the server refuses those that the memory is too
// old for.
type directory struct {
	version int32 // of its data
	empty   bool  // nobody keeps data there
	alone   bool  // there was one child, our own
	// quiet says that nobody else has used the lock since the look before.
	quiet  bool
	barred bool // its data may not be written
	// unmarkable says that a mark was refused, as by a quota.
	unmarkable bool
	long       bool // so is the queue
	marked     bool // its data is of a mark's length, too
	kept       bool // its data is somebody's
}

// directories are the lock directories that a session remembers.
type directories struct {
	mu   sync.Mutex
	seen map[string]directory
}

// maxDirectories bounds the memory; more than that are forgotten, any first.
const maxDirectories = 1024

// minVersion is the least version of a directory's data at which the fast path
// writes it. A directory that somebody has deleted and made again counts from
// 0: to be taken for the old one, with data in it, it would have to have been
// written exactly as often. The first release that can raises the version.
const minVersion = 16

// claim returns the version to ask for in an acquisition by one transaction.
// ok is false when that is not worth a try.
func (d *directories) claim(path string) (version int32, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := d.seen[path]
	return dir.version, dir.quiet && dir.empty && !dir.barred && dir.version >= minVersion
}

// calm reports whether nobody else has used the lock lately, and no mark is left
// that a listing would have to find.
func (d *directories) calm(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := d.seen[path]
	return dir.quiet && (dir.empty || dir.kept || dir.barred)
}

// saw takes in the metadata that came with a listing. A queue of long children
// is a long one.
func (d *directories) saw(path string, stat *zk.Stat, long int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, known := d.seen[path]
	alone := stat.NumChildren == 1
	d.put(path, directory{
		version:    stat.Version,
		empty:      stat.DataLength == 0,
		alone:      alone,
		quiet:      alone && (!known || old.version == stat.Version),
		barred:     old.barred,
		unmarkable: old.unmarkable,
		long:       isLong(int(stat.NumChildren), long),
		marked:     mayBeMarked(stat, long),
		kept:       old.kept && old.version == stat.Version || stat.DataLength > 0 && stat.DataLength != int32(markLength),
	})
}

// counted takes in a listing without metadata.
func (d *directories) counted(path string, children, long int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := d.seen[path]
	dir.alone, dir.quiet, dir.long = false, false, isLong(children, long)
	d.put(path, dir)
}

// busy takes in that somebody else has used the lock.
func (d *directories) busy(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, known := d.seen[path]; known {
		dir.quiet = false
		d.seen[path] = dir
	}
}

// keep takes in that the data of that version is somebody's.
func (d *directories) keep(path string, version int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, known := d.seen[path]; known && dir.version == version {
		dir.kept = true
		d.seen[path] = dir
	}
}

// wrote takes in the metadata that came with a write of ours.
func (d *directories) wrote(path string, stat *zk.Stat, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.put(path, directory{version: stat.Version, empty: true, alone: alone, quiet: alone, unmarkable: d.seen[path].unmarkable})
}

// refused takes in that a write failed.
func (d *directories) refused(path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, known := d.seen[path]
	if !known {
		return
	}
	dir.quiet = false
	dir.barred = dir.barred || errors.Is(err, zk.ErrNoAuth)
	dir.unmarkable = dir.unmarkable || refused(err)
	d.seen[path] = dir
}

// forget is for a directory that is gone.
func (d *directories) forget(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.seen, path)
}

// known returns what was seen last.
func (d *directories) known(path string) (directory, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, ok := d.seen[path]
	return dir, ok
}

// put keeps dir. The caller holds d.mu.
func (d *directories) put(path string, dir directory) {
	if d.seen == nil {
		d.seen = make(map[string]directory)
	}
	if _, known := d.seen[path]; !known && len(d.seen) >= maxDirectories {
		for other := range d.seen {
			delete(d.seen, other)
			break
		}
	}
	d.seen[path] = dir
}
