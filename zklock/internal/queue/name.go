package queue

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A contender's znode is named by a protection, a marker and a number:
//
//	_c_5f0c38d9b6c04d7f8a40ad6f25d79f27-lock-0000000017
//
// The protection, with a guid of the client's, lets the client find a znode
// whose create it got no reply to. The number is what the server appends. Curator
// and go-zookeeper use the same names, so they may stand in the same queue.
const (
	protection = "_c_"

	LockMarker  = "lock-"
	ReadMarker  = "__READ__"
	WriteMarker = "__WRIT__"
	// PermitMarker is not a mutex's, so that the two do not take each other's
	// znodes for contenders.
	PermitMarker = "lease-"
)

// Markers are those of all kinds.
func Markers() []string { return []string{LockMarker, ReadMarker, WriteMarker, PermitMarker} }

// Name returns the name to ask for; the server appends the number.
func Name(guid, marker string) string { return protection + guid + "-" + marker }

// NumberedName returns the name that the server makes of that.
func NumberedName(guid, marker string, sequence int32) string {
	return fmt.Sprintf("%s%010d", Name(guid, marker), sequence)
}

// IsOf reports whether a name carries the guid. It takes names of any form.
func IsOf(name, guid string) bool { return strings.HasPrefix(name, protection+guid+"-") }

// Parse splits the name of a contender that has one of the markers. ok is false
// for any other name.
func Parse(name string, markers []string) (marker string, sequence int32, ok bool) {
	for length := sequenceDigits; length <= sequenceDigits+1; length++ {
		prefix, sequence, ok := cutSequence(name, length)
		if !ok {
			continue
		}
		for _, marker := range markers {
			if before, found := strings.CutSuffix(prefix, marker); found && mayPrecede(before, marker) {
				return marker, sequence, true
			}
		}
	}
	return "", 0, false
}

// mayContend reports whether a name may be that of another recipe's contender: one
// that ends in a number, as those of sequential znodes do, or a bare guid, as a lease
// of kazoo's Semaphore is named.
func mayContend(name string) bool {
	_, _, short := cutSequence(name, sequenceDigits)
	_, _, long := cutSequence(name, sequenceDigits+1)
	return short || long || isGUID(name)
}

// mayPrecede reports whether a contender's name may begin so before its marker:
// with a protection, or with nothing. Before markers that are not of this package,
// Curator's or go-zookeeper's, a bare guid may stand, as kazoo writes it.
func mayPrecede(prefix, marker string) bool {
	if prefix == "" {
		return true
	}
	guid, protected := strings.CutPrefix(prefix, protection)
	if !protected {
		return isGUID(prefix) && !slices.Contains(Markers(), marker)
	}
	guid, dashed := strings.CutSuffix(guid, "-")
	return dashed && isGUID(guid)
}

// The lengths of a guid without and with its dashes.
const (
	minGUID = 32
	maxGUID = 36
)

// inGUID says of each character whether it may be in a guid. A name's guid is random: a
// table takes half as long as comparisons, which the processor cannot foresee.
var inGUID = func() (in [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEF-") {
		in[c] = true
	}
	return in
}()

// isGUID reports whether guid is as long as one, and has only hex digits and
// dashes.
func isGUID(guid string) bool {
	if len(guid) < minGUID || len(guid) > maxGUID {
		return false
	}
	for i := range len(guid) {
		if !inGUID[guid[i]] {
			return false
		}
	}
	return true
}

// sequenceDigits is how many characters the server writes a number with, of which
// the first may be a minus sign; numbers below -999999999 have one more.
const sequenceDigits = 10

// cutSequence reads the number of length characters at the end of a name, as the
// server writes it, and returns what is before it.
func cutSequence(name string, length int) (prefix string, sequence int32, ok bool) {
	if len(name) < length {
		return "", 0, false
	}
	prefix, digits := name[:len(name)-length], name[len(name)-length:]
	magnitude, negative := strings.CutPrefix(digits, "-")
	if length > sequenceDigits && (!negative || magnitude[0] == '0') {
		return "", 0, false
	}
	var n int64
	for i := range len(magnitude) {
		c := magnitude[i]
		if c < '0' || c > '9' {
			return "", 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	if n < math.MinInt32 || n > math.MaxInt32 || negative && n == 0 {
		return "", 0, false
	}
	return prefix, int32(n), true
}

// MaxSequence is the greatest number that is used. The server's counter sticks at
// 2^31-1 and then hands out the same number again and again (ZooKeeper 3.6 and
// later, DataTree.createNode; several contenders would be first at once), and
// creates under way run ahead of it, so the last million is left.
const MaxSequence = 1<<31 - 1<<20 - 1

// ResetSequence is the number from which a directory that nobody else uses is
// made anew, which starts the counter again. There is no hurry at 2^30: half of
// the numbers are left for the moment when the lock is idle.
const ResetSequence = 1 << 30

// Exhausted reports whether a number is too close to the counter's end.
func Exhausted(sequence int32) bool { return sequence < 0 || sequence > MaxSequence }
