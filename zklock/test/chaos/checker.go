package chaos

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A Rule is one thing that must be true of every record.
type Rule string

// The rules.
const (
	// Exclusion: two clients who exclude each other never believe at once.
	Exclusion Rule = "exclusion"
	// Order: who excludes each other gets the lock in the order in which the
	// server created their znodes, and so with rising tokens.
	Order Rule = "order"
	// Tokens: tokens rise in the order in which the server created the znodes.
	Tokens Rule = "tokens"
	// Fence: the register never goes back to a smaller token, and stays as it
	// is while a reader's znode exists.
	Fence Rule = "fence"
	// Durability: the servers do not forget what they have done. It is theirs to keep, and
	// where they do not, nor can a lock keep the other rules.
	Durability Rule = "durability"
	// Announcement: a lease has ended before the server deletes its znode.
	Announcement Rule = "announcement"
)

// A Violation is a rule broken.
type Violation struct {
	Rule Rule
	Lock string        // the kind's name
	At   time.Duration // since the round's beginning
	Why  string        // for a human
}

// String is the violation in one line.
func (v Violation) String() string {
	return fmt.Sprintf("%v %s violated at %s: %s", v.At, v.Rule, v.Lock, v.Why)
}

// Check returns the violations in a record of the given kinds, each kind's by
// itself. Rules about what a client believes excuse a client who cannot know:
// see [Record.Excused]. The fence has no excuse.
func Check(r Record, kinds []Kind) []Violation {
	var found []Violation
	for _, k := range kinds {
		acquisitions := byReturn(r, k.Name)
		found = append(found, checkExclusion(r, k, acquisitions)...)
		if k.Holders == 1 {
			found = append(found, checkOrder(r, acquisitions)...)
		}
		found = append(found, checkTokens(acquisitions)...)
		found = append(found, checkAnnouncement(r, acquisitions)...)
		found = append(found, checkDurability(r, k.Name)...)
		found = append(found, checkFence(r, k.Name)...)
	}
	return found
}

// byReturn returns the acquisitions of a lock in the order in which Lock
// returned.
func byReturn(r Record, lock string) []*Acquisition {
	var of []*Acquisition
	for i := range r.Acquisitions {
		if r.Acquisitions[i].Lock == lock {
			of = append(of, &r.Acquisitions[i])
		}
	}
	slices.SortStableFunc(of, func(a, b *Acquisition) int { return cmp.Compare(a.Returned, b.Returned) })
	return of
}

// exclude reports whether a and b may not hold at once.
func exclude(a, b *Acquisition) bool {
	return a.Mode != zklock.ModeRead || b.Mode != zklock.ModeRead
}

// checkExclusion finds each moment at which a lock was had once too often: it
// is always the moment when the last one got it.
func checkExclusion(r Record, k Kind, acquisitions []*Acquisition) (found []Violation) {
	var holding []*Acquisition
	for _, b := range acquisitions {
		holding = slices.DeleteFunc(holding, func(a *Acquisition) bool { return a.Held < b.Returned })
		if !b.believed() {
			continue
		}
		if others := r.against(b, holding); len(others) >= k.Holders {
			why := fmt.Sprintf("%s and %s both believe", name(others[0]), name(b))
			found = append(found, Violation{Exclusion, k.Name, b.Returned, why})
		}
		holding = append(holding, b)
	}
	return found
}

// against returns those of the holders that exclude b and of which neither is
// excused: where two are at odds, it is the first in the queue who is late.
func (r Record) against(b *Acquisition, holding []*Acquisition) []*Acquisition {
	var others []*Acquisition
	for _, a := range holding {
		stale := a
		if b.Token < a.Token {
			stale = b
		}
		if exclude(a, b) && !r.Excused(stale) {
			others = append(others, a)
		}
	}
	return others
}

// checkOrder compares each with the youngest znode that got the lock before it
// and excludes it.
func checkOrder(r Record, acquisitions []*Acquisition) (found []Violation) {
	var writer, last *Acquisition
	for _, b := range acquisitions {
		if !b.believed() || r.Excused(b) {
			continue
		}
		before := last
		if b.Mode == zklock.ModeRead {
			before = writer
		}
		if before != nil && younger(before, b) {
			why := fmt.Sprintf("%s after %s, which is younger", name(b), name(before))
			found = append(found, Violation{Order, b.Lock, b.Returned, why})
		}
		if b.Mode != zklock.ModeRead {
			writer = youngest(writer, b)
		}
		last = youngest(last, b)
	}
	return found
}

// younger reports whether a came later than b, by the token, or as the server
// was seen to create them.
func younger(a, b *Acquisition) bool {
	return a.Token >= b.Token || a.Created > 0 && b.Created > 0 && a.Created >= b.Created
}

func youngest(a, b *Acquisition) *Acquisition {
	if a == nil || b.Token > a.Token {
		return b
	}
	return a
}

// checkTokens compares tokens with the server's order.
func checkTokens(acquisitions []*Acquisition) (found []Violation) {
	seen := slices.DeleteFunc(slices.Clone(acquisitions), func(a *Acquisition) bool { return a.Created == 0 })
	slices.SortFunc(seen, func(a, b *Acquisition) int { return cmp.Compare(a.Created, b.Created) })
	for i := 1; i < len(seen); i++ {
		if a, b := seen[i-1], seen[i]; a.Token >= b.Token {
			why := fmt.Sprintf("%s was created before %s", name(a), name(b))
			found = append(found, Violation{Tokens, b.Lock, b.Returned, why})
		}
	}
	return found
}

// checkAnnouncement finds leases that were seen held when their znode was seen
// deleted.
func checkAnnouncement(r Record, acquisitions []*Acquisition) (found []Violation) {
	for _, a := range acquisitions {
		if a.late() && !r.Excused(a) {
			why := fmt.Sprintf("%s was held when its znode was gone", name(a))
			found = append(found, Violation{Announcement, a.Lock, a.Deleted, why})
		}
	}
	return found
}

// late reports whether the client is known to have believed when the server
// had deleted its znode.
func (a *Acquisition) late() bool {
	return a.believed() && a.Deleted > 0 && a.Held >= a.Deleted
}

// checkDurability follows a register through the observer's reads.
func checkDurability(r Record, lock string) (found []Violation) {
	var last Write
	for _, w := range r.Writes {
		if w.Lock != lock || !w.Read {
			continue
		}
		if w.Zxid < last.Zxid {
			why := fmt.Sprintf("the write of token %d by zxid %#x is gone, and that of token %d by zxid %#x is back", last.Token, last.Zxid, w.Token, w.Zxid)
			found = append(found, Violation{Durability, lock, w.At, why})
		}
		last = w
	}
	return found
}

// checkFence follows a register through the server's transactions.
func checkFence(r Record, lock string) (found []Violation) {
	writes := slices.DeleteFunc(slices.Clone(r.Writes), func(w Write) bool { return w.Lock != lock })
	slices.SortFunc(writes, func(a, b Write) int { return cmp.Compare(a.Zxid, b.Zxid) })
	var last Write
	for _, w := range writes {
		if w.Torn {
			why := fmt.Sprintf("changed while reader %d held", w.Token)
			found = append(found, Violation{Fence, lock, w.At, why})
			continue
		}
		if w.Token < last.Token {
			why := fmt.Sprintf("token %d after %d", w.Token, last.Token)
			found = append(found, Violation{Fence, lock, w.At, why})
		}
		last = w
	}
	return found
}

// name is how a violation calls an acquisition.
func name(a *Acquisition) string {
	return fmt.Sprintf("client %d with token %d", a.Client, a.Token)
}
