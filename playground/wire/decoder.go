package wire

import (
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Decoder decodes the frames of one connection. It remembers each request
// until it is answered, because a reply does not say what it replies to: so a
// request must be decoded before it is sent. Any bytes at all give a Frame, at
// worst one of kind Undecoded. A Decoder is for one goroutine at a time.
type Decoder struct {
	// LocateFields fills in the fields of each frame.
	LocateFields bool

	connect  *Frame // the ConnectRequest, nil before it
	answered bool   // the server's first frame has been seen
	// pending are the unanswered requests by xid. More than one can have the
	// same: pings always do.
	pending map[int32][]*Frame
}

// NewDecoder returns a Decoder for a new connection.
func NewDecoder() *Decoder {
	return &Decoder{pending: make(map[int32][]*Frame)}
}

// Request decodes the client's next frame, without the length in front. It
// keeps nothing of payload.
func (d *Decoder) Request(payload []byte) *Frame {
	f, r := &Frame{Dir: event.Out}, newReader(payload, d.LocateFields)
	if d.connect == nil {
		d.connect = f
		return f.connectRequest(r)
	}
	f.Kind, f.Xid = Request, r.int32()
	op := opcode(r.int32())
	if r.err != nil {
		return f.undecoded("a request: " + r.err.Error())
	}
	d.pending[f.Xid] = append(d.pending[f.Xid], f)
	return f.requestBody(op, r)
}

// Forget takes back a request that is not sent after all, so that no reply to it
// will come.
func (d *Decoder) Forget(request *Frame) {
	waiting := slices.DeleteFunc(d.pending[request.Xid], func(f *Frame) bool { return f == request })
	if len(waiting) == 0 {
		delete(d.pending, request.Xid)
		return
	}
	d.pending[request.Xid] = waiting
}

// requestBody reads a whole request's body.
func (f *Frame) requestBody(op opcode, r *reader) *Frame {
	f.Op, f.opcode = op.String(), op
	if !f.readRequest(op, r) {
		return f.undecoded("a request of an unknown operation, " + f.Op)
	}
	if err := r.finish(); err != nil {
		return f.undecoded(fmt.Sprintf("a request, %s: %v", f.Op, err))
	}
	f.Fields = r.fields
	return f
}

// Reply decodes the server's next frame, without the length in front: a reply,
// a notification, or the first of all, a ConnectResponse. It keeps nothing of
// payload.
func (d *Decoder) Reply(payload []byte) *Frame {
	f, r := &Frame{Dir: event.In}, newReader(payload, d.LocateFields)
	if !d.answered {
		d.answered = true
		return f.connectResponse(d.connect, r)
	}
	f.Xid, f.Zxid, f.Code = r.int32(), max(r.int64(), 0), Code(r.int32())
	if r.err != nil {
		return f.undecoded("a reply: " + r.err.Error())
	}
	if f.Xid == xidNotification {
		return f.notification(r)
	}
	return f.answer(d.request(f.Xid), r)
}

// request takes the oldest unanswered request with the xid, nil if none.
func (d *Decoder) request(xid int32) *Frame {
	waiting := d.pending[xid]
	switch len(waiting) {
	case 0:
		return nil
	case 1:
		delete(d.pending, xid)
	default:
		d.pending[xid] = waiting[1:]
	}
	return waiting[0]
}

// answer reads the body of a reply to request.
func (f *Frame) answer(request *Frame, r *reader) *Frame {
	if request == nil {
		return f.undecoded(fmt.Sprintf("a reply to no request: xid %d", f.Xid))
	}
	f.Kind, f.Request = Reply, request
	f.Op, f.Path, f.Mode = request.Op, request.Path, request.Mode
	if f.Code == OK || len(r.rest) > 0 {
		f.readReply(request.opcode, r)
	}
	if err := r.finish(); err != nil {
		return f.undecoded(fmt.Sprintf("a reply to %s: %v", f.Op, err))
	}
	f.Watch, f.Fields = request.Watch && f.leavesWatch(), r.fields
	return f
}

// leavesWatch reports whether the server keeps the requested watch. An
// exists may watch for what is not there yet.
func (f *Frame) leavesWatch() bool {
	return f.Code == OK || f.Code == NoNode && f.Op == opNames[opExists]
}

func (f *Frame) notification(r *reader) *Frame {
	f.Kind, f.Op = Notification, opNotification.String()
	f.Type = eventType(r.int32())
	r.int32() // the state, which is always SyncConnected for a znode's event
	f.Path = r.path(PathField)
	f.Fields = r.fields
	if err := r.finish(); err != nil {
		return f.undecoded("a notification: " + err.Error())
	}
	return f
}
