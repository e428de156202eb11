package wire

// readReply reads the body of a reply to a request of operation op. The
// operations that it does not name have no body.
func (f *Frame) readReply(op opcode, r *reader) {
	switch op {
	case opCreate, opSync:
		f.Path = r.string()
	case opCreate2, opCreateContainer, opCreateTTL:
		f.Path, f.Stat = r.string(), r.statOf()
	case opExists, opSetData, opSetACL:
		f.Stat = r.statOf()
	case opGetData, opReconfig:
		r.bytes()
		f.Stat = r.statOf()
	case opGetACL:
		r.skipACL()
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
		r.skipStrings()
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
