package zkserver

import (
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

const (
	// snapshotFile is where a server with a [Config.Dir] looks first.
	// The number is the last transaction in it, so the server's first is 2.
	snapshotFile = "data/version-2/snapshot.1"
	snapshotZxid = 1

	snapshotMagic   = 'Z'<<24 | 'K'<<16 | 'S'<<8 | 'N'
	snapshotVersion = 2
	snapshotID      = -1 // of the database: a field that has never had another value

	// openACL stands for all permissions for everybody.
	openACL = -1
)

// serverZnodes are those without which no server starts.
var serverZnodes = map[string]int32{"/zookeeper": 2, "/zookeeper/config": 0, "/zookeeper/quota": 0}

// WriteSnapshot prepares a directory for [Config.Dir], with which a server starts as if
// much had happened on it before. Each key of counters is the absolute path of an empty
// persistent znode, open to everybody, and its value the number that the next sequential
// child there will get. Missing parents are made with 0.
//
// It is for what cannot be reached by creating: the end of the counter.
func WriteSnapshot(dir string, counters map[string]int32) error {
	file := filepath.Join(dir, snapshotFile)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	if err := os.WriteFile(file, snapshot(counters), 0o600); err != nil {
		return fmt.Errorf("write the snapshot: %w", err)
	}
	return nil
}

// snapshot encodes the znodes as ZooKeeper's FileSnap does.
func snapshot(counters map[string]int32) []byte {
	var b jute
	b.int(snapshotMagic)
	b.int(snapshotVersion)
	b.long(snapshotID)
	b.int(0) // sessions
	b.int(0) // access control lists other than the open one
	znodes := withParents(counters)
	for _, path := range slices.Sorted(maps.Keys(znodes)) { // a parent before its children
		b.znode(path, znodes[path])
	}
	b.string("/") // the end: no znode is called that, as the root's path is empty
	b.seal()
	return b
}

// withParents adds the server's own znodes and all ancestors, up to the root.
func withParents(counters map[string]int32) map[string]int32 {
	all := maps.Clone(serverZnodes)
	for znode := range counters {
		for dir := path.Dir(znode); dir != "/"; dir = path.Dir(dir) {
			all[dir] = counters[dir]
		}
	}
	maps.Copy(all, counters)
	all[""] = 0
	return all
}

// A jute is a record in ZooKeeper's serialization: big endian, with lengths in
// front.
type jute []byte

func (b *jute) int(v int32) { *b = binary.BigEndian.AppendUint32(*b, uint32(v)) }

func (b *jute) long(v int64) { *b = binary.BigEndian.AppendUint64(*b, uint64(v)) }

func (b *jute) string(s string) {
	b.int(int32(len(s)))
	*b = append(*b, s...)
}

// znode adds one znode. Its child version counts only the creates, unlike the
// one in a client's Stat, and is where sequential names get their numbers.
func (b *jute) znode(path string, creates int32) {
	b.string(path)
	b.string("") // data
	b.long(openACL)
	b.long(snapshotZxid) // created
	b.long(snapshotZxid) // modified
	b.long(0)            // time of creation
	b.long(0)            // time of modification
	b.int(0)             // version of the data
	b.int(creates)
	b.int(0)             // version of the access control list
	b.long(0)            // ephemeral owner
	b.long(snapshotZxid) // last change of the children
}

// seal ends the file with a checksum, and a mark without which a server takes
// the file for one that was not written to its end.
func (b *jute) seal() {
	b.long(int64(adler32.Checksum(*b)))
	b.string("/")
}
