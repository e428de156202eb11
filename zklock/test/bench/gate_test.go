package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestGateOpen(t *testing.T) {
	g := newGate()
	g.open() // once more
	if err := g.pass(t.Context()); err != nil {
		t.Error(err)
	}
	if len(g.stood) > 0 {
		t.Error("somebody stood at an open gate")
	}
}

// Who comes to a closed gate stands until it is opened, each time.
func TestGateClosed(t *testing.T) {
	g := newGate()
	for range 100 {
		g.close()
		passed := make(chan error)
		go func() { passed <- g.pass(t.Context()) }()
		select {
		case <-g.stood:
		case err := <-passed:
			t.Fatal("passed a closed gate:", err)
		}
		g.open()
		if err := <-passed; err != nil {
			t.Fatal(err)
		}
	}
}

func TestGateInterrupted(t *testing.T) {
	g := newGate()
	g.close()
	reason := errors.New("no more")
	ctx, stop := context.WithCancelCause(t.Context())
	passed := make(chan error)
	go func() { passed <- g.pass(ctx) }()
	<-g.stood
	stop(reason)
	if err := <-passed; !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
}

// Where two held at once, the stand of the second is not taken for a later one.
func TestGateForgets(t *testing.T) {
	g := newGate()
	g.close()
	passed := make(chan error)
	for range 2 {
		go func() { passed <- g.pass(t.Context()) }()
		<-g.stood
	}
	g.stood <- time.Time{}
	g.open()
	for range 2 {
		if err := <-passed; err != nil {
			t.Error(err)
		}
	}
	g.close()
	if len(g.stood) > 0 {
		t.Error("somebody stands who passed before")
	}
}
