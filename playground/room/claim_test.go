package room_test

import (
	"bytes"
	"context"
	"io/fs"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/room"
)

// A slowClaim writes when it is let.
type slowClaim struct {
	gate sync.Mutex // held while nothing is written

	mu   sync.Mutex
	text []byte
}

func (c *slowClaim) Lost() <-chan struct{}         { return nil }
func (c *slowClaim) Release(context.Context) error { return nil }
func (c *slowClaim) Remove() error                 { return nil }

func (c *slowClaim) Read() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.text == nil {
		return nil, fs.ErrNotExist
	}
	return c.text, nil
}

func (c *slowClaim) Write(text []byte) error {
	c.gate.Lock()
	defer c.gate.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = text
	return nil
}

func (c *slowClaim) has(text string) bool {
	kept, err := c.Read()
	return err == nil && bytes.Contains(kept, []byte(text))
}

// TestGoalIsAnsweredWhenWritten: who says again which goal is met, as the first answer has
// not come, is answered when it is written, and not before.
func TestGoalIsAnsweredWhenWritten(t *testing.T) {
	claim := new(slowClaim)
	h := open(t, haveGoals("a/one"), func(c *room.Config) {
		c.KeepDir = t.TempDir()
		c.Claim = func(context.Context, string) (room.Claim, error) { return claim, nil }
	})
	r := h.openClass()
	h.join(anna, r)
	claim.gate.Lock()
	first, again := make(chan error), make(chan error)
	go func() { first <- h.Meet(anna, []string{"a/one"}) }()
	h.eventually("the goal is met", func() bool { return r.Class().GoalsMet()["a/one"] == 1 })
	go func() { again <- h.Meet(anna, []string{"a/one"}) }()
	select {
	case err := <-again:
		t.Errorf("answered before it was written: %v", err)
		claim.gate.Unlock()
	case <-time.After(50 * time.Millisecond): // long enough, mostly, to see who does not wait
		claim.gate.Unlock()
		if err := <-again; err != nil || !claim.has("a/one") {
			t.Errorf("answered with %v, and the claim has %s", err, claim.text)
		}
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
}
