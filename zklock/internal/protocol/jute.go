package protocol

import (
	"encoding/binary"
	"errors"

	"github.com/go-zookeeper/zk"
)

// A Message is a request in ZooKeeper's encoding: numbers are big-endian, and a
// string has its length before it. Each method appends one value.
type Message []byte

// Int32 appends a number of 4 bytes.
func (m Message) Int32(n int32) Message { return binary.BigEndian.AppendUint32(m, uint32(n)) }

// Int64 appends a number of 8 bytes.
func (m Message) Int64(n int64) Message { return binary.BigEndian.AppendUint64(m, uint64(n)) }

// Bool appends a byte.
func (m Message) Bool(b bool) Message {
	if b {
		return append(m, 1)
	}
	return append(m, 0)
}

// Text appends a string.
func (m Message) Text(s string) Message { return append(m.Int32(int32(len(s))), s...) }

// Bytes appends data, and that there is none as a length of -1.
func (m Message) Bytes(data []byte) Message {
	if data == nil {
		return m.Int32(-1)
	}
	return append(m.Int32(int32(len(data))), data...)
}

// ACL appends an access control list.
func (m Message) ACL(list []zk.ACL) Message {
	m = m.Int32(int32(len(list)))
	for _, entry := range list {
		m = m.Int32(entry.Perms).Text(entry.Scheme).Text(entry.ID)
	}
	return m
}

// ErrShortReply says that a reply has less in it than it should.
var ErrShortReply = errors.New("zklock: the server's reply is incomplete")

// A Reader reads a reply from its front. What is not there is read as zero, and
// Err says so.
type Reader struct {
	rest  []byte
	short bool
}

// NewReader returns a reader of a reply, which must not change meanwhile.
func NewReader(reply []byte) *Reader { return &Reader{rest: reply} }

// Err returns ErrShortReply if more was read than there is.
func (r *Reader) Err() error {
	if r.short {
		return ErrShortReply
	}
	return nil
}

// take returns the next n bytes, nil when there are less, or n is negative.
func (r *Reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.short = nil, true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// Int32 reads a number of 4 bytes.
func (r *Reader) Int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

// Int64 reads a number of 8 bytes.
func (r *Reader) Int64() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Bool reads a byte.
func (r *Reader) Bool() bool {
	b := r.take(1)
	return b != nil && b[0] != 0
}

// Text reads a string.
func (r *Reader) Text() string { return string(r.take(int(r.Int32()))) }

// Bytes reads a buffer, which may be nil.
func (r *Reader) Bytes() []byte {
	n := r.Int32()
	if n == -1 {
		return nil
	}
	return r.take(int(n))
}

// Texts reads a list of strings.
func (r *Reader) Texts() []string {
	n := int(r.Int32())
	if n < 0 || n > len(r.rest)/4 { // each has its length
		r.short = r.short || n > 0
		return nil
	}
	list := make([]string, 0, n)
	all := string(r.rest) // the texts share one allocation
	for range n {
		text := r.take(int(r.Int32()))
		end := len(all) - len(r.rest)
		list = append(list, all[end-len(text):end])
	}
	return list
}

// Stat reads a znode's metadata.
func (r *Reader) Stat() *zk.Stat {
	return &zk.Stat{
		Czxid: r.Int64(), Mzxid: r.Int64(), Ctime: r.Int64(), Mtime: r.Int64(),
		Version: r.Int32(), Cversion: r.Int32(), Aversion: r.Int32(),
		EphemeralOwner: r.Int64(), DataLength: r.Int32(), NumChildren: r.Int32(), Pzxid: r.Int64(),
	}
}
