package wire

import "github.com/zkplayground/zkplayground/playground/event"

// readRequest reads the body of a request. It is false for an operation that
// is not known.
func (f *Frame) readRequest(op opcode, r *reader) bool {
	switch op {
	case opPing, opCloseSession, opWhoAmI:
	case opSync, opGetACL, opGetAllChildrenNumber:
		f.Path = r.path(PathField)
	case opGetEphemerals:
		f.Path = r.path(PrefixField)
	case opExists, opGetData, opGetChildren, opGetChildren2:
		f.Path, f.Watch = r.path(PathField), r.bool()
	case opSetWatches, opSetWatches2:
		f.readSetWatches(op, r)
	case opMulti, opMultiRead:
		return f.readMulti(r)
	default:
		return f.readWrite(op, r) || f.readOther(op, r)
	}
	return true
}

// readWrite reads a request that changes the tree.
func (f *Frame) readWrite(op opcode, r *reader) bool {
	switch op {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL:
		f.readCreate(op, r)
	case opDelete:
		f.Path = r.path(DeleteField)
		r.int32() // version
	case opCheck:
		f.Path = r.path(PathField)
		r.int32() // version
	case opSetData:
		f.Path = r.path(PathField)
		r.bytes()
		r.int32() // version
	case opSetACL:
		f.Path = r.path(PathField)
		f.ClosedACL = !r.openACL()
		r.int32() // version
	default:
		return false
	}
	return true
}

func (f *Frame) readCreate(op opcode, r *reader) {
	f.Path = r.path(PathField)
	r.bytes()
	f.ClosedACL = !r.openACL()
	flags := r.int32()
	f.Flags = createMode(flags)
	if sequential(flags) {
		r.isSequential()
	}
	if op == opCreateTTL {
		r.int64() // time to live
	}
}

// readOther reads a request that is neither a plain read nor a write.
func (f *Frame) readOther(op opcode, r *reader) bool {
	switch op {
	case opAddWatch:
		f.Path, f.Watch = r.path(PathField), true
		f.Mode = r.int32()
	case opRemoveWatches, opCheckWatches:
		f.Path = r.path(PathField)
		f.Mode = r.int32()
	case opAuth:
		r.int32() // type, unused
		r.bytes() // scheme
		r.bytes() // credentials
	case opSASL:
		r.bytes()
	case opReconfig:
		f.readReconfig(r)
	default:
		return false
	}
	return true
}

func (f *Frame) readReconfig(r *reader) {
	r.bytes() // joining servers
	r.bytes() // leaving servers
	r.bytes() // new members
	r.int64() // configuration to start from
}

// readSetWatches reads the watches that a client sets again after a reconnect.
func (f *Frame) readSetWatches(op opcode, r *reader) {
	r.int64() // the last transaction that the client knows of
	kinds := []event.SubOp{{Op: opGetData.String()}, {Op: opExists.String()}, {Op: opGetChildren.String()}}
	if op == opSetWatches2 {
		for _, mode := range []int32{modePersistent, modePersistentRecursive} {
			kinds = append(kinds, event.SubOp{Op: opAddWatch.String(), Flags: watchModes[mode]})
		}
	}
	for _, again := range kinds {
		for _, again.Path = range r.paths() {
			f.Ops = append(f.Ops, again)
		}
	}
}
