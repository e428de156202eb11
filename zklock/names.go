package zklock

import (
	"math"
	"slices"
	"strconv"
	"strings"
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
