package wire

import (
	"bytes"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// connectRequest reads the frame that opens a connection.
func (f *Frame) connectRequest(r *reader) *Frame {
	f.Kind, f.Op = ConnectRequest, event.OpConnect
	r.int32() // protocol version
	f.Zxid = r.int64()
	f.readSession(r)
	return f.endConnect(r, "a connect request")
}

// connectResponse reads the server's answer to request, which is nil when the
// client has sent none.
func (f *Frame) connectResponse(request *Frame, r *reader) *Frame {
	f.Kind, f.Op, f.Request = ConnectResponse, event.OpConnect, request
	r.int32() // protocol version
	f.readSession(r)
	if f.Session == 0 {
		f.Code = SessionExpired
	}
	return f.endConnect(r, "a connect response")
}

// readSession reads what the two connect frames have in common.
func (f *Frame) readSession(r *reader) {
	f.Timeout = time.Duration(r.int32()) * time.Millisecond
	f.Session = r.int64()
	f.Password = bytes.Clone(r.field(PasswordField))
}

// endConnect allows for the read-only byte, which older clients and servers do
// not send.
func (f *Frame) endConnect(r *reader, what string) *Frame {
	if len(r.rest) == 1 {
		r.bool()
		f.tellsReadOnly = true
	}
	if err := r.finish(); err != nil {
		return f.undecoded(fmt.Sprintf("%s: %v", what, err))
	}
	f.Fields = r.fields
	if f.Kind == ConnectResponse && f.Request == nil {
		return f.undecoded(what + " without a request")
	}
	return f
}

// connectFrame builds the connect request of a session; 0 opens a new one.
func connectFrame(session int64, password []byte, timeout time.Duration) []byte {
	if len(password) == 0 {
		password = make([]byte, 16)
	}
	w := newWriter()
	w.int32(0) // protocol version
	w.int64(0) // last zxid seen: accept any server
	w.int32(int32(timeout.Milliseconds()))
	w.int64(session).bytes(password)
	return w.bool(false).frame() // not content with a read-only server
}
