package wire

import (
	"errors"

	"github.com/zkplayground/zkplayground/playground/event"
)

var errPart = errors.New("a part of a multi is of an unknown operation")

// readMulti reads the parts of a multi: each has a header and a request's body;
// a header marked as the last ends them. It is false for a part that is not
// known.
func (f *Frame) readMulti(r *reader) bool {
	for r.err == nil {
		op, done := readPart(r)
		if done || r.err != nil {
			return true
		}
		part := Frame{}
		if op == opMulti || op == opMultiRead || !part.readRequest(op, r) {
			r.fail(errPart)
			return true
		}
		f.Ops = append(f.Ops, event.SubOp{Op: op.String(), Path: part.Path, Flags: part.Flags})
		f.ClosedACL = f.ClosedACL || part.ClosedACL
	}
	return true
}

// readPart reads the header of a part.
func readPart(r *reader) (op opcode, done bool) {
	op, done = opcode(r.int32()), r.bool()
	r.int32() // the error, which the body of a failed part repeats
	return op, done
}

// readMultiReply reads the results of a multi, in the order of its parts. A
// multi that failed has an error in the place of every result: 0 before the
// part that failed, RuntimeInconsistency after it. A multiRead's parts fail
// each for itself.
func (f *Frame) readMultiReply(multi opcode, r *reader) {
	for i := 0; r.err == nil; i++ {
		op, done := readPart(r)
		if done || r.err != nil {
			return
		}
		result, code := f.readResult(i, op, r)
		f.Ops = append(f.Ops, result)
		if multi == opMulti && blames(code, f.Code) {
			f.Code = code
		}
	}
}

// blames reports whether code says more about a multi's failure than known does.
func blames(code, known Code) bool {
	if known == OK {
		return code != OK
	}
	return known == RuntimeInconsistency && code != OK
}

// rolledBack is the result of a part that was fine in a multi that failed.
const rolledBack = "RolledBack"

// readResult reads the result of part i, whose place and name the request has.
func (f *Frame) readResult(i int, op opcode, r *reader) (event.SubOp, Code) {
	result := event.SubOp{Op: op.String()}
	if i < len(f.Request.Ops) {
		result.Op, result.Path = f.Request.Ops[i].Op, f.Request.Ops[i].Path
	}
	if op != opError {
		readResultBody(op, r, &result)
		return result, OK
	}
	code := Code(r.int32())
	result.Err = code.String()
	if code == OK {
		result.Err = rolledBack
	}
	return result, code
}

func readResultBody(op opcode, r *reader, result *event.SubOp) {
	switch op {
	case opCreate, opCreate2, opSetData, opGetData, opGetChildren:
		part := Frame{}
		part.readReply(op, r)
		if part.Path != "" {
			result.Path = part.Path
		}
	case opDelete, opCheck:
	default:
		r.fail(errPart)
	}
}
