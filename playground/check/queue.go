package check

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A place is a znode's position in the queue: the number that the server gave
// it, and whether it excludes everybody or only writers.
type place struct {
	number int64
	read   bool
}

// contender matches the names that the recipes, Curator and go-zookeeper make:
// protection, marker, and the ten digits that the server adds. Every other
// znode is a stray, which no recipe waits for. See zklock/names.go.
var contender = regexp.MustCompile(`^(?:_c_[0-9a-zA-Z-]+-)?(lock-|__READ__|__WRIT__)([0-9]{10})$`)

// placeOf reads the place out of a znode's path; ok is false for a znode that
// is no contender.
func placeOf(path string) (p place, ok bool) {
	parts := contender.FindStringSubmatch(path[strings.LastIndexByte(path, '/')+1:])
	if parts == nil {
		return place{}, false
	}
	number, err := strconv.ParseInt(parts[2], 10, 64)
	return place{number: number, read: parts[1] == "__READ__"}, err == nil
}

// A seat is a place with the client and the event that put it there.
type seat struct {
	place
	client int
	seq    int64
	at     int64
}

// front is the furthest that acquisitions have come: the highest number that
// acquired at all, and the highest that acquired to write. An acquisition is
// right only when nothing ahead of it conflicts, so whatever still stands
// behind the front when it should not is a violation.
type front struct{ any, write seat }

func newFront() front {
	nobody := seat{place: place{number: -1}}
	return front{any: nobody, write: nobody}
}

func (f *front) advance(s seat) {
	if s.number > f.any.number {
		f.any = s
	}
	if !s.read && s.number > f.write.number {
		f.write = s
	}
}

// passed returns the acquisition that went past p though p excludes it.
func (f *front) passed(p place) (seat, bool) {
	past := f.any
	if p.read {
		past = f.write
	}
	return past, past.number > p.number
}

func seatOf(e event.Event) (seat, bool) {
	p, ok := placeOf(e.Path)
	p.read = p.read || e.Mode == "read"
	return seat{place: p, client: e.Client, seq: e.Seq, at: e.At}, ok
}
