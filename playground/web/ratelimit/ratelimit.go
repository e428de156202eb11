// Package ratelimit bounds how often persons may ask for something, and the addresses
// that they share: fifty students sit behind one address, and one person may make up
// any number of names.
//
// A [Limiter] knows what has been asked for lately, in bounded memory. It knows nothing of
// HTTP.
package ratelimit

import (
	"container/list"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Quota is what one person, or one address, may ask for.
type Quota struct {
	// AtOnce requests may come at once, and PerSecond in the long run.
	AtOnce    int
	PerSecond float64
	// Open may be under way at a time; 0 means any number.
	Open int
}

// String tells of it in words.
func (q Quota) String() string {
	text := fmt.Sprintf("%d at once and %g a second", q.AtOnce, q.PerSecond)
	if q.Open > 0 {
		text += fmt.Sprintf(", %d under way", q.Open)
	}
	return text
}

// A Rule bounds one sort of requests.
type Rule struct {
	// Name is what they are, in the plural.
	Name            string
	Person, Address Quota
}

// By says whose quota is used up.
type By string

// The two.
const (
	Person  By = "person"
	Address By = "address"
)

// Refused is the error of a request that is one too many.
type Refused struct {
	Rule  Rule
	By    By
	After time.Duration // when the next may come
	open  bool          // too many are under way
}

// Error says which limit was hit, and when it ends.
func (r *Refused) Error() string {
	whose, quota := "from you", r.Rule.Person
	if r.By == Address {
		whose, quota = "from your address, all who share it together", r.Rule.Address
	}
	if r.open {
		return fmt.Sprintf("too many %s %s: %d may be under way at a time; try again when one has ended", r.Rule.Name, whose, quota.Open)
	}
	return fmt.Sprintf("too many %s %s: %d may come at once and %g a second; try again in %d s",
		r.Rule.Name, whose, quota.AtOnce, quota.PerSecond, r.Seconds())
}

// Seconds is After in whole seconds, at least one.
func (r *Refused) Seconds() int { return max(1, int(math.Ceil(r.After.Seconds()))) }

// A Limiter counts requests. Its methods are safe for concurrent use.
type Limiter struct {
	most int
	now  func() time.Time
	seed maphash.Seed

	mu      sync.Mutex
	buckets map[uint64]*list.Element // of those who have asked lately
	latest  *list.List               // of *bucket, who has asked last in front
	open    map[uint64]int           // how many are under way
}

// A bucket has what one person or address has left of a quota.
type bucket struct {
	key  uint64
	left *rate.Limiter
}

// New returns a limiter that remembers most persons and addresses, for each rule; who
// asked longest ago is forgotten first, and then has the whole quota again. Now is the
// clock.
func New(most int, now func() time.Time) *Limiter {
	return &Limiter{most: most, now: now, seed: maphash.MakeSeed(), buckets: make(map[uint64]*list.Element),
		latest: list.New(), open: make(map[uint64]int)}
}

// Enter counts a request of a person at an address, who says leave when it has been
// answered; or returns a *Refused. A request that is refused costs nothing, so a person
// who asks too often takes nothing from others at the address.
func (l *Limiter) Enter(rule Rule, person, address string) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	var taken []*rate.Reservation
	parties := l.parties(rule, person, address)
	for _, party := range parties {
		after, open := time.Second, party.quota.Open > 0 && l.open[party.key] >= party.quota.Open
		if !open {
			reservation := l.bucket(party).ReserveN(now, 1)
			taken = append(taken, reservation)
			after = reservation.DelayFrom(now)
		}
		if after > 0 {
			for _, reservation := range taken {
				reservation.CancelAt(now)
			}
			return nil, &Refused{Rule: rule, By: party.by, After: after, open: open}
		}
	}
	if rule.Person.Open == 0 && rule.Address.Open == 0 {
		return func() {}, nil
	}
	for _, party := range parties {
		l.open[party.key]++
	}
	return func() { l.leave(parties) }, nil
}

func (l *Limiter) leave(parties []party) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, party := range parties {
		if l.open[party.key]--; l.open[party.key] == 0 {
			delete(l.open, party.key)
		}
	}
}

// Allows says whether Enter would let a request through now, as far as it depends on those
// before. It counts none.
func (l *Limiter) Allows(rule Rule, person, address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !slices.ContainsFunc(l.parties(rule, person, address), func(p party) bool {
		return l.bucket(p).TokensAt(l.now()) < 1
	})
}

// A party is a person or an address under a rule. Its key is short, whatever names are
// made up.
type party struct {
	by    By
	key   uint64
	quota Quota
}

func (l *Limiter) parties(rule Rule, person, address string) []party {
	key := func(by By, name string) uint64 {
		return maphash.Comparable(l.seed, [3]string{rule.Name, string(by), name})
	}
	return []party{{Person, key(Person, person), rule.Person}, {Address, key(Address, address), rule.Address}}
}

// bucket returns what a party has left, as of the one who has asked last. The caller holds
// the mutex.
func (l *Limiter) bucket(of party) *rate.Limiter {
	if element, known := l.buckets[of.key]; known {
		l.latest.MoveToFront(element)
		return element.Value.(*bucket).left
	}
	for l.latest.Len() >= l.most {
		oldest := l.latest.Back()
		delete(l.buckets, l.latest.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: of.key, left: rate.NewLimiter(rate.Limit(of.quota.PerSecond), of.quota.AtOnce)}
	l.buckets[of.key] = l.latest.PushFront(b)
	return b.left
}
