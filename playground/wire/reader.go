package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	errShort = errors.New("the frame ends too early")
	errCount = errors.New("a length in the frame is impossible")
)

// A reader takes ZooKeeper's basic types off a frame. After the first error it
// returns zero values, so that callers check once, at the end.
type reader struct {
	rest []byte
	err  error

	locate bool // note the fields
	size   int  // of the whole payload
	fields []Field
}

func newReader(payload []byte, locate bool) *reader {
	return &reader{rest: payload, size: len(payload), locate: locate}
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.fail(errShort)
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) int64() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (r *reader) bool() bool {
	b := r.take(1)
	return b != nil && b[0] != 0
}

// bytes returns a part of the frame itself. The null buffer, of length -1, is
// nil.
func (r *reader) bytes() []byte {
	n := r.int32()
	if n == -1 {
		return nil
	}
	return r.take(int(n))
}

func (r *reader) string() string { return string(r.bytes()) }

// count reads the length of a vector whose elements take at least size bytes.
func (r *reader) count(size int) int {
	n := int(r.int32())
	if n == -1 {
		return 0
	}
	if n < 0 || n > len(r.rest)/size {
		r.fail(errCount)
		return 0
	}
	return n
}

func (r *reader) strings() []string {
	n := r.count(4)
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.string())
	}
	return list
}

// field reads a buffer and notes where it stands.
func (r *reader) field(kind FieldKind) []byte {
	b := r.bytes()
	if r.locate && r.err == nil {
		end := r.size - len(r.rest)
		r.fields = append(r.fields, Field{Kind: kind, Start: end - len(b), End: end})
	}
	return b
}

func (r *reader) path(kind FieldKind) string { return string(r.field(kind)) }

func (r *reader) paths() []string {
	n := r.count(4)
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.path(PathField))
	}
	return list
}

// isSequential makes the path read last the one of a sequential create: the flags
// come after the path.
func (r *reader) isSequential() {
	if r.locate && r.err == nil {
		r.fields[len(r.fields)-1].Kind = SequentialField
	}
}

// skipStrings reads a vector of strings for its length only.
func (r *reader) skipStrings() int {
	n := r.count(4)
	for range n {
		r.bytes()
	}
	return n
}

func (r *reader) acl() []ACL {
	list := make([]ACL, r.count(12))
	for i := range list {
		list[i] = ACL{Perms: Perms(r.int32()), Scheme: r.string(), ID: r.string()}
	}
	return list
}

// openACL reads an ACL and says whether it lets everybody read and delete, so that
// the clean-up can.
func (r *reader) openACL() (open bool) {
	for range r.count(12) {
		perms := Perms(r.int32())
		scheme, id := r.bytes(), r.bytes()
		open = open || perms&needed == needed && string(scheme) == "world" && string(id) == "anyone"
	}
	return open
}

const needed = PermRead | PermDelete

// finish says whether the frame was read to its end without an error.
func (r *reader) finish() error {
	if r.err == nil && len(r.rest) > 0 {
		return fmt.Errorf("%d bytes are left over", len(r.rest))
	}
	return r.err
}
