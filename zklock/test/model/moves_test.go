package model

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

// after visits the world after one move, if that can happen.
func (w *world) after(visit explore.Visitor, can bool, i int, what string, do func(*world)) {
	if can {
		next := *w
		do(&next)
		next.settle()
		visit(&next, i, what)
	}
}

// Steps are what servers and clients do by themselves.
func (w *world) Steps(visit explore.Visitor) {
	for i := range w.clients {
		c := &w.clients[i]
		linked := c.clock.Linked()
		w.after(visit, c.behind > 0, i, "has a server that takes in a transaction", func(w *world) { w.apply(i) })
		w.after(visit, c.came && !linked && w.mayConnect(i), i, "connects", func(w *world) { w.connect(i) })
		w.after(visit, linked && c.asked, i, "has its create taken by the leader", func(w *world) { w.takeCreate(i) })
		w.after(visit, linked && c.phase == seeking && c.behind == 0, i, "looks for its znode", func(w *world) { w.seek(i) })
		w.after(visit, linked && !c.clock.Live(), i, "is acknowledged late", func(w *world) { w.revive(i) })
		hopeless := c.came && !linked && !w.mayConnect(i) && c.clock.Live()
		w.after(visit, hopeless, i, "has its clock run out", func(w *world) { w.runOut(i) })
		for _, k := range c.erase.each() {
			w.after(visit, linked, i, "has a znode deleted", func(w *world) { w.eraseOne(i, k) })
		}
	}
}

// mayConnect reports whether there is a session for a client, still or anew.
func (w *world) mayConnect(i int) bool { return w.open[i] || w.opened[i] < sessions }

// Events are what may happen to them. The clients are alike, so they come first in their
// order.
func (w *world) Events(visit explore.Visitor) {
	for i := range w.clients {
		c := &w.clients[i]
		linked := c.clock.Linked()
		first := !c.came && (i == 0 || w.clients[i-1].came)
		w.after(visit, first, i, "starts", func(w *world) {
			w.clients[i].came = true
			w.connect(i)
			w.ask(i)
		})
		again := c.came && c.phase == away && linked && c.clock.Live() && w.left.again > 0
		w.after(visit, again, i, "comes again", func(w *world) {
			w.left.again--
			w.ask(i)
		})
		w.after(visit, c.phase == waiting || c.phase == creating && !c.unwanted, i, "gives up", func(w *world) { w.giveUp(i) })
		w.after(visit, c.believes() && !c.erase.has(c.own), i, "unlocks", func(w *world) { w.unlock(i) })
		w.after(visit, linked && w.left.cuts > 0, i, "is cut off", func(w *world) {
			w.left.cuts--
			w.cut(i)
		})
		w.after(visit, c.came && c.clock.Live() && w.left.overdue > 0, i, "finds its clock run out", func(w *world) {
			w.left.overdue--
			w.runOut(i)
		})
		w.after(visit, w.open[i] && w.left.ends > 0 && w.mayEnd(i), i, "has its session ended by the leader", func(w *world) {
			w.left.ends--
			w.endSession(i)
		})
	}
}

// mayEnd is what the session clock promises: the leader does not end a session by which
// its client holds, or is about to hear that it does.
func (w *world) mayEnd(i int) bool {
	c := &w.clients[i]
	return w.late || w.flaw == endBeforeClock || !c.believes() && (c.behind == 0 || !c.clock.Linked())
}

// Key has all that tells what can follow. Of the znodes that have gone nothing is left
// but how many there were.
func (w *world) Key() string {
	b := []byte{byte(w.left.again), byte(w.left.cuts), byte(w.left.ends), byte(w.left.overdue)}
	known := w.tree
	for _, t := range w.recent {
		known |= t.deletes
		if t.creates >= 0 {
			known |= only(t.creates)
		}
	}
	for i := range w.clients {
		c := &w.clients[i]
		if known |= c.shown | c.erase | c.ahead | c.watched; c.own >= 0 {
			known |= only(c.own)
		}
	}
	rank := func(k int8) byte { return byte(bits.OnesCount16(uint16(known & (only(k) - 1)))) }
	appendSet := func(s set) {
		packed := set(0)
		for _, k := range s.each() {
			packed |= only(int8(rank(k)))
		}
		b = append(b, byte(packed), byte(packed>>8))
	}
	b = binary.BigEndian.AppendUint32(b, uint32(w.numbered(w.next)))
	if w.flaw == numberForToken { // else that of a new znode is greater
		b = binary.BigEndian.AppendUint64(b, uint64(w.highest))
	}
	for _, k := range known.each() {
		z := w.znodes[k]
		b = binary.BigEndian.AppendUint32(append(b, byte(z.client), byte(z.session), byte(z.guid)), uint32(w.numbered(z.sequence)))
		b = strconv.AppendBool(b, w.token(k) < w.highest)
	}
	for _, t := range w.recent {
		b = append(b, rank(max(0, t.creates)), byte(t.creates>>7), byte(t.ends))
		appendSet(t.deletes)
	}
	appendSet(w.tree)
	for i := range w.clients {
		c := &w.clients[i]
		b = append(b, byte(w.opened[i]), byte(c.phase), byte(c.now), byte(c.behind), byte(c.session()),
			byte(c.clock.Deadline().Sub(c.time())/unit), byte(c.own>>7), rank(max(0, c.own)))
		for _, s := range []set{c.ahead, c.watched, c.erase, c.shown} {
			appendSet(s)
		}
		if c.phase == creating || c.phase == seeking {
			b = append(b, byte(c.guid))
		}
		for _, yes := range []bool{w.open[i], c.came, c.asked, c.unwanted, c.alone, c.clock.Live(), c.clock.Linked(), c.phase == waiting && c.turn.MustList()} {
			b = strconv.AppendBool(b, yes)
		}
	}
	return string(b)
}

// numbered is a number as far as it matters.
func (w *world) numbered(sequence int32) int32 {
	if w.flaw == noFlaw && sequence < queue.ResetSequence {
		return 0
	}
	return sequence
}
