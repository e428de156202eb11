package zklock

import (
	"fmt"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"

	"github.com/go-zookeeper/zk"
)

// A mark is what the data of a lock directory says while its queue is long: up
// to which number the places have been held and released. Whoever releases one
// writes it in the transaction that deletes the znode, and as only the first in
// line can, no place up to that number is left. So a waiter that reads it need
// not list the queue, which costs the server the more the longer that is.
//
// The data is somebody else's unless there is none, or a mark. It is written
// only at the version at which that was seen.

// longQueue is how many children make a queue a long one, which is marked,
// unless [WithMarks] says otherwise. Marks are kept up until half of it is left,
// so that they do not come and go.
const longQueue = 64

// Its text is this, the transaction that made the directory, in hex digits,
// and the number. A copy of the data in another directory is no mark there.
const (
	markPrefix  = "zklock released "
	czxidDigits = 16
	markLength  = len(markPrefix) + czxidDigits + 1 + sequenceDigits
)

func formatMark(czxid int64, sequence int32) []byte {
	return fmt.Appendf(nil, "%s%0*x %0*d", markPrefix, czxidDigits, czxid, sequenceDigits, sequence)
}

// parseMark reads the data of the directory that the transaction czxid made.
func parseMark(data []byte, czxid int64) (sequence int32, ok bool) {
	if len(data) != markLength {
		return 0, false
	}
	sequence, ok = parseSequence(string(data[markLength-sequenceDigits:]))
	return sequence, ok && sequence >= 0 && string(formatMark(czxid, sequence)) == string(data)
}

// mayBeMarked reports whether metadata are those of a directory with a mark
// and a queue that is long enough to go by it.
func mayBeMarked(stat *zk.Stat, long int) bool {
	return long > 0 && stat.DataLength == int32(markLength) && int(stat.NumChildren) >= long/2
}

// isLong reports whether so many children are a long queue, if long are.
func isLong(children, long int) bool { return long > 0 && children >= long }

// A sighting is what an acquisition has last seen of its directory.
type sighting struct {
	czxid   int64
	version int32
	length  int32 // of its data
	alone   bool  // nobody else is in the queue
	long    bool  // the queue is, or has been
	free    bool  // nobody keeps data there
	ahead   int   // how many places were ahead
}

// sightingOf takes in metadata that came with the queue. Of data that was not
// read it is not known whose it is. A queue of long children is a long one.
func sightingOf(stat *zk.Stat, ahead, long int) sighting {
	alone := stat.NumChildren == 1
	return sighting{
		czxid: stat.Czxid, version: stat.Version, length: stat.DataLength,
		alone: alone, long: !alone && (isLong(int(stat.NumChildren), long) || mayBeMarked(stat, long)),
		free: stat.DataLength == 0, ahead: ahead,
	}
}

// after returns s with what an earlier sighting knows of the same data.
func (s sighting) after(earlier sighting) sighting {
	s.free = s.free || earlier.free && earlier.version == s.version
	return s
}

// mark returns what the release of the place numbered sequence writes into the
// directory. Of two neighbours only the one with the even number does: the
// other has seen a version that its neighbour changes.
func (s sighting) mark(sequence int32) (data []byte, ok bool) {
	switch {
	case !s.free || s.version < 0 || s.ahead > 1 || s.long && sequence%2 != 0:
		return nil, false
	case s.long:
		return formatMark(s.czxid, sequence), true
	default:
		return nil, s.length > 0 // the mark that is left from a longer queue
	}
}

// leftOver reports whether the data may be the mark of a queue that has gone.
func (s sighting) leftOver() bool {
	return !s.free && s.alone && s.length == int32(markLength)
}

// marks reports whether the lock goes by marks, and sets them. The root of all
// ensembles is made by the same transaction, so that marks could be mixed up.
func (a *acquisition) marks() bool {
	return !a.config.without.Has(mechanism.Mark) && a.steady && !a.config.textbook && len(a.config.markers) == 0 && a.config.long > 0 && a.path != "/"
}
