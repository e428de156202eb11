package zklock

import (
	"encoding/binary"
	"time"
)

// maxHead is how much of each frame is kept: enough for a reply's header and
// a path of ordinary length.
const maxHead = 512

// A frameScanner finds the frames in one direction of a connection, however
// the stream is chopped. It keeps only the first bytes of each.
type frameScanner struct {
	prefix  [4]byte // the length before each frame
	size    int     // of the prefix, what has arrived
	length  int     // of the present frame
	left    int     // bytes of it still to come
	longest int     // frame so far
	head    [maxHead]byte
	kept    int
	started time.Time // when the first byte of the prefix passed
}

// scan takes the next bytes of the stream, and calls frame at each frame's end
// with its head and the time of its start. The head is valid during the call.
func (f *frameScanner) scan(p []byte, now time.Time, frame func(head []byte, started time.Time)) {
	for len(p) > 0 {
		if f.size < len(f.prefix) {
			p = f.scanPrefix(p, now)
		} else {
			p = f.scanBody(p)
		}
		if f.size == len(f.prefix) && f.left == 0 {
			frame(f.head[:f.kept], f.started)
			f.size, f.kept = 0, 0
		}
	}
}

func (f *frameScanner) scanPrefix(p []byte, now time.Time) (rest []byte) {
	if f.size == 0 {
		f.started = now
	}
	n := copy(f.prefix[f.size:], p)
	f.size += n
	if f.size == len(f.prefix) {
		// A length with the top bit set is no ZooKeeper; the client fails on
		// it, and here it must only not do harm.
		f.length = max(0, int(int32(binary.BigEndian.Uint32(f.prefix[:]))))
		f.left = f.length
		f.longest = max(f.longest, f.length)
	}
	return p[n:]
}

func (f *frameScanner) scanBody(p []byte) (rest []byte) {
	n := min(len(p), f.left)
	f.kept += copy(f.head[f.kept:], p[:n])
	f.left -= n
	return p[n:]
}

// The numbers of ZooKeeper's protocol that matter here.
const (
	xidNotification = -1
	xidPing         = -2
	opError         = -1
	opCreate        = 1
	opDelete        = 2
	opExists        = 3
	opGetData       = 4
	opSetData       = 5
	opGetChildren   = 8
	opGetChildren2  = 12
	opMulti         = 14
	opContainer     = 19
	opMultiRead     = 22
	opRemoveWatches = 18
	opAuth          = 100
	opSetWatches    = 101
	opSasl          = 102
	opSetWatches2   = 105
	opAddWatch      = 106
	opCloseSession  = -11
)

// int32At reads a number of a frame's head; ok is false when it is too short.
func int32At(head []byte, offset int) (n int32, ok bool) {
	if len(head) < offset+4 {
		return 0, false
	}
	return int32(binary.BigEndian.Uint32(head[offset:])), true
}

func int64At(head []byte, offset int) (n int64, ok bool) {
	if len(head) < offset+8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(head[offset:])), true
}

// createdPath returns the path in the reply to a create that succeeded, and
// the zxid of the transaction. ok is false for every other reply, and when the
// path is longer than what is kept.
func createdPath(head []byte) (path string, zxid int64, ok bool) {
	zxid, _ = int64At(head, 4)
	code, _ := int32At(head, 12)
	size, ok := int32At(head, 16)
	if !ok || code != 0 || size < 0 || int(size) > len(head)-20 {
		return "", 0, false
	}
	return string(head[20 : 20+size]), zxid, true
}

// watchedPath returns the path of a request for a watch, "" where that is longer
// than what is kept.
func watchedPath(head []byte) string {
	size, ok := int32At(head, 8)
	if !ok || size < 0 || int(size) > len(head)-12 {
		return ""
	}
	return string(head[12 : 12+size])
}

// setsWatch reports whether a request asks for a watch.
func setsWatch(head []byte) bool {
	switch op, _ := int32At(head, 4); op {
	case opExists, opGetData, opGetChildren, opGetChildren2:
	case opSetWatches2, opAddWatch: // of later clients
		return true
	default:
		return false
	}
	size, ok := int32At(head, 8)
	flag := 12 + int(size)
	return ok && size >= 0 && (flag >= len(head) || head[flag] != 0)
}
