package step

import (
	"context"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// await waits for the first event that fits, from that one on, and returns an
// error when ctx ends first, or the log does.
func (s *Stepper) await(ctx context.Context, from int64, fits func(event.Event) bool) error {
	for e, err := range s.config.Log.Follow(ctx, from) {
		if err != nil || fits(e) {
			return err
		}
	}
	return nil
}

// A history is what the clients have told, so far as the steps of a script wait
// for that. It reads each event of the log once, however many clients there are.
// Its methods are safe for concurrent use.
type history struct {
	log   *event.Log
	kinds map[event.Kind]bool // that steps wait for

	mu   sync.Mutex
	next int64 // the first event that has not been read
	told map[teller][]event.Kind
}

// A teller is a client by its lane and number.
type teller struct {
	lane   string
	number int
}

func newHistory(log *event.Log, groups [][]scenario.Step) *history {
	h := &history{log: log, kinds: make(map[event.Kind]bool), next: 1, told: make(map[teller][]event.Kind)}
	for _, group := range groups {
		for _, step := range group {
			h.kinds[step.Until], h.kinds[step.Await] = true, true
		}
	}
	return h
}

// pass looks for the first event of a kind that a client has told after the one
// that was looked for before. What it passes on the way, or in vain, is behind it.
func (h *history) pass(lane string, number int, kind event.Kind) (found bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.read(); err != nil {
		return false, err
	}
	client := teller{lane, number}
	for i, told := range h.told[client] {
		if told == kind {
			h.told[client] = h.told[client][i+1:]
			return true, nil
		}
	}
	delete(h.told, client)
	return false, nil
}

// read reads what the log has by now. The caller holds the mutex.
func (h *history) read() error {
	for e, err := range h.log.Events(h.next) {
		if err != nil {
			return err
		}
		h.next = e.Seq + 1
		if e.Client != 0 && h.kinds[e.Kind] {
			client := teller{e.Lane, e.Client}
			h.told[client] = append(h.told[client], e.Kind)
		}
	}
	return nil
}
