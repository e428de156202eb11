package latch_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/latch"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l latch.Latch
		want := func(when string, d time.Duration, cause error) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			if err := l.Wait(ctx); !errors.Is(err, cause) || time.Since(began) != d {
				t.Errorf("%s one waits %v, and gets %v; want %v and %v", when, time.Since(began), err, d, cause)
			}
		}
		want("at first", 0, nil)
		if !l.Shut() || l.Shut() {
			t.Error("not only the first Shut has changed it")
		}
		want("while it is shut", time.Second, context.DeadlineExceeded)
		time.AfterFunc(100*time.Millisecond, func() { l.Open() })
		want("until it opens", 100*time.Millisecond, nil)
		if l.Open() {
			t.Error("Open has changed what was open")
		}
	})
}

func TestPassSaysWhetherItWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l latch.Latch
		if l.Pass(nil) {
			t.Error("one waits before an open latch")
		}
		l.Shut()
		freed := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(freed) })
		if !l.Pass(freed) || l.Shut() {
			t.Error("who is freed has not waited, or has opened the latch")
		}
	})
}

// TestShutsBetweenActs: nothing that has entered goes on once it is shut.
func TestShutsBetweenActs(t *testing.T) {
	var l latch.Latch
	acts, enough := 0, false
	done := make(chan struct{})
	act := func() bool {
		l.Enter(nil)
		defer l.Exit()
		acts++
		return !enough
	}
	go func() {
		defer close(done)
		for act() {
		}
	}()
	for range 1000 {
		l.Shut()
		before := acts
		runtime.Gosched()
		if acts != before {
			t.Error("something was done behind a shut latch")
		}
		l.Open()
	}
	l.Shut()
	enough = true
	l.Open()
	<-done
}
