package store

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A ledger records the holders of the lock, as the store reports them. Its methods are safe
// for concurrent use.
type ledger struct {
	lane     event.Lane
	recorder Recorder

	mu       sync.Mutex
	there    bool
	holder   string // as in the store
	operator bool   // an operator is about to delete it
}

func newLedger(lane event.Lane, r Recorder) *ledger { return &ledger{lane: lane, recorder: r} }

// Why the lock came or went, as in event.Event.
const (
	byClient   = "client"
	byExpiry   = "expiry"
	byOutsider = "outsider"
	unseen     = "unseen"
)

// A state is what the store has.
type state struct {
	there   bool
	holder  string
	expiry  time.Duration // until it goes by itself; 0 for never
	version int64         // of the row; 0 where the store counts nothing
}

// created records that the holder has the lock now. One that writes over another's lock
// changes it first.
func (l *ledger) created(now state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.there && l.holder != now.holder {
		l.record(event.TreeChanged, now, byClient)
		l.record(event.TreeDeleted, state{holder: l.holder}, byClient)
	}
	l.create(now, byClient)
}

func (l *ledger) create(now state, cause string) {
	l.there, l.holder = true, now.holder
	l.record(event.TreeCreated, now, cause)
}

// deleted records that the lock is free, if it was not.
func (l *ledger) deleted(cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cause == byClient && l.operator {
		cause = byOutsider
	}
	l.operator = false
	l.delete(cause)
}

func (l *ledger) delete(cause string) {
	if l.there {
		l.there = false
		l.record(event.TreeDeleted, state{holder: l.holder}, cause)
	}
}

// found compares the store with the record, after a time in which the store reported
// nothing.
func (l *ledger) found(now state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.there && now.there && l.holder == now.holder {
		return
	}
	l.delete(unseen)
	if now.there {
		l.create(now, unseen)
	}
}

// operated says that the next deletion is that of an operator, or is not, after all.
func (l *ledger) operated(yes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.operator = yes
}

// synced records that the log has every change that was made by that time.
func (l *ledger) synced(sent int64) {
	l.recorder.Record(event.Event{Kind: event.TreeSynced, Lane: l.lane.Name, Sent: sent})
}

// lost records that changes are not seen any more.
func (l *ledger) lost(err error) {
	l.recorder.Record(event.Event{Kind: event.TreeLost, Lane: l.lane.Name, Reason: event.Text(err.Error())})
}

func (l *ledger) record(kind event.Kind, now state, cause string) {
	l.recorder.Record(event.Event{Kind: kind, Lane: l.lane.Name, Client: l.client(now.holder), Path: Key(l.lane),
		Timeout: now.expiry.Milliseconds(), Token: now.version, Cause: cause})
}

// HolderOf is what a client writes into its lock: whose it is, and that it is of this
// attempt. The label begins with the lane and the client's number.
func HolderOf(label, attempt string) string { return label + "/" + attempt }

// client is the number of the client that has written a holder; 0 if it is none of ours.
func (l *ledger) client(holder string) int {
	label, _, _ := strings.Cut(holder, "/")
	number, ok := strings.CutPrefix(label, l.lane.Name+"-")
	number, _, _ = strings.Cut(number, "-") // after it, which process it is
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 0
	}
	return n
}
