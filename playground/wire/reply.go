package wire

import "github.com/zkplayground/zkplayground/playground/event"

// readReply reads the body of a reply to a request of operation op. The
// operations that it does not name have no body.
func (f *Frame) readReply(op opcode, r *reader) {
	switch op {
	case opCreate, opSync:
		f.Path = r.path(PathField)
	case opCreate2, opCreateContainer, opCreateTTL:
		f.Path, f.Stat = r.path(PathField), r.statOf()
	case opExists, opSetData, opSetACL:
		f.Stat = r.statOf()
	case opGetData, opReconfig:
		r.bytes()
		f.Stat = r.statOf()
	case opGetACL:
		r.openACL()
		f.Stat = r.statOf()
	case opMulti, opMultiRead:
		f.readMultiReply(op, r)
	default:
		f.readList(op, r)
	}
}

// readList reads the body of a reply that is a list or a number.
func (f *Frame) readList(op opcode, r *reader) {
	switch op {
	case opGetChildren:
		f.Children = r.skipStrings()
	case opGetChildren2:
		f.Children = r.skipStrings()
		f.Stat = r.statOf()
	case opGetAllChildrenNumber:
		f.Children = int(r.int32())
	case opGetEphemerals:
		r.paths()
	case opSASL:
		r.bytes()
	case opAddWatch:
		r.int32() // the error once more
	case opWhoAmI:
		for range r.count(8) {
			r.bytes() // scheme
			r.bytes() // user
		}
	}
}

// A Stat is what the server keeps about a znode besides its data.
type Stat struct {
	Czxid          int64 // the transaction that created the znode
	Mzxid          int64 // the transaction that last changed its data
	Ctime, Mtime   int64 // the times of the two, in Unix milliseconds, by the server's clock
	Version        int32 // changes of the data
	Cversion       int32 // changes of the list of children
	Aversion       int32 // changes of the ACL
	EphemeralOwner int64 // the owning session of an ephemeral znode, else 0
	DataLength     int32 // in bytes
	NumChildren    int32
	Pzxid          int64 // the transaction that last changed the list of children
}

// event is what the log has of a Stat, nil of none.
func (s *Stat) event() *event.Stat {
	if s == nil {
		return nil
	}
	return &event.Stat{Czxid: s.Czxid, Mzxid: s.Mzxid, Pzxid: s.Pzxid, Ctime: s.Ctime, Mtime: s.Mtime,
		Version: s.Version, Cversion: s.Cversion, EphemeralOwner: SessionHex(s.EphemeralOwner),
		DataLength: s.DataLength, NumChildren: s.NumChildren}
}

func (r *reader) stat() Stat {
	return Stat{
		Czxid: r.int64(), Mzxid: r.int64(),
		Ctime: r.int64(), Mtime: r.int64(),
		Version: r.int32(), Cversion: r.int32(), Aversion: r.int32(),
		EphemeralOwner: r.int64(),
		DataLength:     r.int32(), NumChildren: r.int32(),
		Pzxid: r.int64(),
	}
}

// statOf reads a Stat to hang on a frame.
func (r *reader) statOf() *Stat {
	s := r.stat()
	return &s
}
