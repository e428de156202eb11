package wire

import "encoding/binary"

// A writer builds one frame out of ZooKeeper's basic types.
type writer struct {
	buf []byte
	op  opcode // of a request
}

// newWriter leaves room for the length, which frame fills in.
func newWriter() *writer { return &writer{buf: make([]byte, 4, 64)} }

// newRequest starts a request with its header, in which numbered sets the xid.
func newRequest(op opcode) *writer {
	w := newWriter().int32(0).int32(int32(op))
	w.op = op
	return w
}

func (w *writer) numbered(xid int32) *writer {
	binary.BigEndian.PutUint32(w.buf[prefix:], uint32(xid))
	return w
}

func (w *writer) int32(v int32) *writer {
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(v))
	return w
}

func (w *writer) int64(v int64) *writer {
	w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(v))
	return w
}

func (w *writer) bool(v bool) *writer {
	if v {
		w.buf = append(w.buf, 1)
	} else {
		w.buf = append(w.buf, 0)
	}
	return w
}

func (w *writer) bytes(b []byte) *writer {
	w.int32(int32(len(b)))
	w.buf = append(w.buf, b...)
	return w
}

// buffer writes nil as the null buffer, which is not the empty one.
func (w *writer) buffer(b []byte) *writer {
	if b == nil {
		return w.int32(-1)
	}
	return w.bytes(b)
}

func (w *writer) strings(list []string) *writer {
	w.int32(int32(len(list)))
	for _, s := range list {
		w.string(s)
	}
	return w
}

func (w *writer) acl(list []ACL) *writer {
	w.int32(int32(len(list)))
	for _, a := range list {
		w.int32(int32(a.Perms)).string(a.Scheme).string(a.ID)
	}
	return w
}

func (w *writer) string(s string) *writer {
	w.int32(int32(len(s)))
	w.buf = append(w.buf, s...)
	return w
}

// frame returns the frame with its length in front.
func (w *writer) frame() []byte {
	binary.BigEndian.PutUint32(w.buf, uint32(len(w.buf)-4))
	return w.buf
}
