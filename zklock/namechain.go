package zklock

import (
	"math"
	"strconv"
	"sync"
)

// names are the guids of one lock's znodes. Each is used once. Those of places
// that follow each other count on, and each has in it the number of the place
// before, which is a statement: that place has held the lock, and is gone. So
// those who stand behind a place can tell what the next will be called, and when
// they see it, that it had its turn. After a place that ended in any other way
// the names begin anew.
type names struct {
	mu      sync.Mutex
	newGUID func() string
	last    string // that was returned
	base    string // what those that follow each other have in common
	made    uint32 // with this base
	former  former // of the place of the last one
}

// A former is what is known of a lock's place before the next. It is known only
// where that place has held the lock, and its znode is known to be gone.
type former struct {
	known    bool
	sequence int32
	token    Token
}

// A guid's parts, in hex digits: the base, and the two numbers.
const (
	baseDigits  = 16
	countDigits = 8
)

func newNames(newGUID func() string) *names { return &names{newGUID: newGUID} }

// next returns the next guid, and what is known of the place before it.
func (n *names) next() (guid string, before former) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before = n.former
	if !before.known || n.made == math.MaxUint32 {
		n.base, n.made = n.newGUID()[:baseDigits], 0
	}
	n.made++
	n.last, n.former = guidWith(n.base, n.made, before.sequence), former{}
	return n.last, before
}

// release takes in that the place p has held the lock, and that its znode is
// gone. Only the last name can have a next.
func (n *names) release(p place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.former.known && n.last != "" && p.guid == n.last {
		n.former = former{known: true, sequence: p.sequence, token: p.token}
	}
}

// guidWith returns the guid of the given parts.
func guidWith(base string, made uint32, previous int32) string {
	guid := append(make([]byte, 0, minGUID), base...)
	return string(appendHex(appendHex(guid, made), uint32(previous)))
}

// appendHex appends all digits of a number.
func appendHex(b []byte, n uint32) []byte {
	for shift := 4 * (countDigits - 1); shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[n>>shift&0xf])
	}
	return b
}

// nextGUID returns the guid that follows that of a place which held the lock
// with the number sequence, if it is of such names.
func nextGUID(guid string, sequence int32) (string, bool) {
	if len(guid) != minGUID {
		return "", false
	}
	made, err := strconv.ParseUint(guid[baseDigits:baseDigits+countDigits], 16, 32)
	return guidWith(guid[:baseDigits], uint32(made+1), sequence), err == nil
}
