package wire

import "encoding/binary"

// A FieldKind says what a field of a frame means.
type FieldKind int

// The kinds of fields.
const (
	PathField       FieldKind = iota // the path of a znode
	SequentialField                  // the path that a create is to add a number to
	DeleteField                      // the path of a znode to be deleted
	PrefixField                      // what the requested paths begin with
	PasswordField                    // a session's password
)

// A Field is a part of a frame that means something only in one place: a path on
// one server, the password of a session. A carrier of frames between places puts
// another in its stead; see [Frame.Replace].
type Field struct {
	Kind       FieldKind
	Start, End int // in the payload
}

// roomForFields is how much longer Replace expects to make a frame.
const roomForFields = 64

// Replace returns the frame of a payload that the decoder has made f of, with its
// length in front, in which every field is what with makes of it. The decoder must
// have located the fields.
func (f *Frame) Replace(payload []byte, with func(kind FieldKind, value string) string) []byte {
	w, done := &writer{buf: make([]byte, prefix, len(payload)+roomForFields)}, 0
	for _, field := range f.Fields {
		w.raw(payload[done : field.Start-prefix])
		w.string(with(field.Kind, string(payload[field.Start:field.End])))
		done = field.End
	}
	return w.raw(payload[done:]).frame()
}

// Refusal is how a server answers a request that could not be decoded.
func (f *Frame) Refusal() Code {
	if _, known := opNames[f.opcode]; known {
		return MarshallingError
	}
	return Unimplemented
}

// ReplyFrame builds a server's reply that has no body, with its length in front. It
// names no transaction, so that the client keeps the newest that it knows.
func ReplyFrame(xid int32, code Code) []byte { return newReply(xid, code).frame() }

// EmptyFrame builds the reply to a getData or an exists of a znode without data, of
// which nothing is known.
func EmptyFrame(request *Frame) []byte {
	w := newReply(request.Xid, OK)
	if request.opcode == opGetData {
		w.bytes(nil)
	}
	return w.raw(make([]byte, binary.Size(Stat{}))).frame()
}

// ExpiredFrame builds the answer to a connect request whose session has ended.
func ExpiredFrame(request *Frame) []byte {
	w := newWriter()
	w.int32(0) // protocol version
	w.int32(0) // timeout
	w.int64(0) // session
	w.bytes(make([]byte, 16))
	if request.tellsReadOnly {
		w.bool(false)
	}
	return w.frame()
}

func newReply(xid int32, code Code) *writer {
	const noZxid = 0
	return newWriter().int32(xid).int64(noZxid).int32(int32(code))
}

// raw adds what is encoded already.
func (w *writer) raw(encoded []byte) *writer {
	w.buf = append(w.buf, encoded...)
	return w
}
