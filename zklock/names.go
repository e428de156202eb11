package zklock

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A znode's name in a queue is protection, marker and number:
//
//	_c_5f0c38d9b6c04d7f8a40ad6f25d79f27-lock-0000000017
//
// The protection, with a guid of the client's, lets it find a znode whose
// create it got no reply to. The number is what the server appends. Curator
// and go-zookeeper use the same names, so they may stand in the same queue.
const (
	protection  = "_c_"
	lockMarker  = "lock-"
	readMarker  = "__READ__"
	writeMarker = "__WRIT__"
	// permitMarker is in the names of a semaphore's znodes. It is not a
	// mutex's, so that the two do not take each other's for contenders.
	permitMarker = "lease-"
)

// minGUID and maxGUID are the lengths of a guid without and with its dashes.
const (
	minGUID = 32
	maxGUID = 36
)

// protectedName returns the name to ask for; the server appends the number.
func protectedName(guid, marker string) string {
	return protection + guid + "-" + marker
}

// fullName returns the name that the server makes of that.
func fullName(guid, marker string, sequence int32) string {
	return protection + guid + "-" + marker + padded(strconv.Itoa(int(sequence)), sequenceDigits)
}

// sequenceDigits is how many digits the server writes a number with.
const sequenceDigits = 10

// zeros is what numbers are filled up with.
const zeros = "0000000000"

// padded returns digits with zeros before them, n characters in all, of 10 at
// most.
func padded(digits string, n int) string { return zeros[:max(0, n-len(digits))] + digits }

// guidOf returns the guid of a name that protectedName began, and "" for
// other names. It does not know guids with dashes, which are never ours.
func guidOf(name string) string {
	rest, ok := strings.CutPrefix(name, protection)
	if !ok {
		return ""
	}
	guid, _, _ := strings.Cut(rest, "-")
	return guid
}

// parseName splits the name of a znode in the queue of a lock whose markers
// are given. ok is false for a stray: any name that no client of such a lock
// would make.
func parseName(name string, markers []string) (marker string, sequence int32, ok bool) {
	for _, marker := range markers {
		at := strings.LastIndex(name, marker)
		if at < 0 || !protected(name[:at]) && (ownMarker(marker) || !isGUID(name[:at])) {
			continue
		}
		if sequence, ok := parseSequence(name[at+len(marker):]); ok {
			return marker, sequence, true
		}
	}
	return "", 0, false
}

// protected reports whether prefix is a protection, or empty.
func protected(prefix string) bool {
	if prefix == "" {
		return true
	}
	guid, ok := strings.CutPrefix(prefix, protection)
	if !ok {
		return false
	}
	guid, ok = strings.CutSuffix(guid, "-")
	return ok && isGUID(guid)
}

// contenderMarkers are those of all our recipes.
var contenderMarkers = []string{lockMarker, readMarker, writeMarker, permitMarker}

// ownMarker reports whether a marker is one that clients of this package, of
// Curator and of go-zookeeper use. Before others a bare guid may stand, as
// kazoo writes it.
func ownMarker(marker string) bool { return slices.Contains(contenderMarkers, marker) }

// isGUID reports whether guid is as long as one, and has only hex digits and
// dashes.
func isGUID(guid string) bool {
	if len(guid) < minGUID || len(guid) > maxGUID {
		return false
	}
	for i := range len(guid) {
		switch c := guid[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F', c == '-':
		default:
			return false
		}
	}
	return true
}

// parseSequence reads a number as the server writes it: ten characters, of
// which the first may be a minus sign, or eleven for the most negative.
func parseSequence(digits string) (sequence int32, ok bool) {
	magnitude, negative := strings.CutPrefix(digits, "-")
	var n int64
	for i := range len(magnitude) {
		c := magnitude[i]
		if c < '0' || c > '9' || i >= 10 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	switch {
	case !negative:
		ok = len(digits) == 10 && n <= math.MaxInt32
	case len(digits) == 10:
		ok = n > 0
	default:
		ok = len(digits) == 11 && n >= 1e9 && n <= -math.MinInt32
	}
	if negative {
		n = -n
	}
	if !ok {
		return 0, false
	}
	return int32(n), true
}

// names are the guids of one lock's znodes. Each is used once. Those of places
// that follow each other count on, and each has in it the number of the place
// before, which is a statement: that place has held the lock, and is gone. So
// those who stand behind a place can tell what the next will be called, and when
// they see it, that it had its turn. After a place that ended in any other way
// the names begin anew.
type names struct {
	mu       sync.Mutex
	newGUID  func() string
	base     string // what those that follow each other have in common
	made     uint32 // with this base
	released bool   // the place of the last one has held the lock, and is gone
	previous int32  // number of that place
}

// A guid's parts, in hex digits: the base, and the two numbers.
const (
	baseDigits  = 16
	countDigits = 8
)

func newNames(newGUID func() string) *names { return &names{newGUID: newGUID} }

func (n *names) next() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.released || n.made == math.MaxUint32 {
		n.base, n.made, n.previous = n.newGUID()[:baseDigits], 0, 0
	}
	n.made++
	n.released = false
	return n.last()
}

// last returns the guid that next has returned last. The caller holds n.mu.
func (n *names) last() string { return guidWith(n.base, n.made, n.previous) }

// release takes in that the place named guid, of the given number, has held the
// lock, and that its znode is gone. Only the last name can have a next.
func (n *names) release(guid string, sequence int32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.made > 0 && !n.released && guid == n.last() {
		n.released, n.previous = true, sequence
	}
}

// guidWith returns the guid of the given parts.
func guidWith(base string, made uint32, previous int32) string {
	return base + hexDigits(made) + hexDigits(uint32(previous))
}

func hexDigits(n uint32) string { return padded(strconv.FormatUint(uint64(n), 16), countDigits) }

// nextGUID returns the guid that follows that of a place which held the lock
// with the number sequence, if it is of such names.
func nextGUID(guid string, sequence int32) (string, bool) {
	if len(guid) != minGUID {
		return "", false
	}
	made, err := strconv.ParseUint(guid[baseDigits:baseDigits+countDigits], 16, 32)
	return guidWith(guid[:baseDigits], uint32(made+1), sequence), err == nil
}
