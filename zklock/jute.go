package zklock

import (
	"encoding/binary"

	"github.com/go-zookeeper/zk"
)

// A message is a request as ZooKeeper's encoding, jute, has it: numbers are
// big-endian, and a string has its length before it.
type message []byte

func (m message) int32(n int32) message { return binary.BigEndian.AppendUint32(m, uint32(n)) }

func (m message) int64(n int64) message { return binary.BigEndian.AppendUint64(m, uint64(n)) }

func (m message) bool(b bool) message {
	if b {
		return append(m, 1)
	}
	return append(m, 0)
}

func (m message) text(s string) message { return append(m.int32(int32(len(s))), s...) }

// texts appends a list of strings.
func (m message) texts(list []string) message {
	m = m.int32(int32(len(list)))
	for _, s := range list {
		m = m.text(s)
	}
	return m
}

// bytes appends data, and that there is none as a length of -1.
func (m message) bytes(data []byte) message {
	if data == nil {
		return m.int32(-1)
	}
	return append(m.int32(int32(len(data))), data...)
}

func (m message) acl(list []zk.ACL) message {
	m = m.int32(int32(len(list)))
	for _, entry := range list {
		m = m.int32(entry.Perms).text(entry.Scheme).text(entry.ID)
	}
	return m
}

// An answer is the rest of a reply, read from its front. What is not there is
// read as zero, and short is then true.
type answer struct {
	rest  []byte
	short bool
}

// take returns the next n bytes, nil when there are less, or n is negative.
func (a *answer) take(n int) []byte {
	if n < 0 || n > len(a.rest) {
		a.rest, a.short = nil, true
		return nil
	}
	taken := a.rest[:n]
	a.rest = a.rest[n:]
	return taken
}

func (a *answer) int32() int32 {
	n, _ := int32At(a.take(4), 0)
	return n
}

func (a *answer) int64() int64 {
	n, _ := int64At(a.take(8), 0)
	return n
}

func (a *answer) bool() bool {
	b := a.take(1)
	return len(b) > 0 && b[0] != 0
}

func (a *answer) text() string { return string(a.take(int(a.int32()))) }

// texts reads a list of strings, of which it returns those to keep, and how
// many there are in all.
func (a *answer) texts(keep func([]byte) bool) (kept []string, all int) {
	all = int(a.int32())
	for range all {
		text := a.take(int(a.int32()))
		if a.short {
			return nil, 0
		}
		if keep(text) {
			kept = append(kept, string(text))
		}
	}
	return kept, max(0, all)
}

func (a *answer) stat() *zk.Stat {
	return &zk.Stat{
		Czxid: a.int64(), Mzxid: a.int64(), Ctime: a.int64(), Mtime: a.int64(),
		Version: a.int32(), Cversion: a.int32(), Aversion: a.int32(),
		EphemeralOwner: a.int64(), DataLength: a.int32(), NumChildren: a.int32(), Pzxid: a.int64(),
	}
}
