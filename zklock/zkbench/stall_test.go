package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A deaf contender is never woken up, whatever context ends, until its session
// does.
type deaf struct{ closed chan struct{} }

func (d deaf) acquire(context.Context) error { <-d.closed; return errors.New("its session has ended") }
func (d deaf) release(context.Context) error { return nil }
func (d deaf) close() error                  { close(d.closed); return nil }

// A contender that is never woken up ends the heat in time, with an error that
// says whose it was.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heat{settings: settings{warm: time.Second}, matches: []*match{newMatch(cell{Recipe: "deaf", condition: condition{inTurn, 1, 0}})}}
		h.open = func(_ context.Context, m *match) error {
			m.contenders = []contender{deaf{make(chan struct{})}}
			return nil
		}
		began := time.Now()
		_, err := h.play(t.Context())
		if !errors.Is(err, errStalled) || !strings.Contains(err.Error(), "N=1, deaf") {
			t.Errorf("error %v, want %v", err, errStalled)
		}
		if took, most := time.Since(began), time.Second+maxLap+stallTimeout; took != most {
			t.Errorf("it took %v, want %v", took, most)
		}
	})
}
