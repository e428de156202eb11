package client

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// TestErrorsAreReasons: those that visitors meet have codes, as long as they say what the
// codes say; every other is told in its own words.
func TestErrorsAreReasons(t *testing.T) {
	for _, test := range []struct {
		err   error
		codes []string
	}{
		{context.Canceled, []string{"context-canceled"}},
		{context.DeadlineExceeded, []string{"deadline-exceeded"}},
		{zklock.ErrHeld, []string{"held-by-another"}},
		{&zklock.ForeignError{Node: "/lock/flag"}, []string{"another-kind-of-lock"}},
		{zklock.ErrUnlocked, []string{"unlocked"}},
		{zk.ErrNoNode, []string{"no-node"}},
		{ErrZooKeeper, []string{"no-answer-from-zookeeper"}},
		{ErrStore, []string{"no-answer-from-store"}},
		{fmt.Errorf("%w: %w", ErrStore, context.DeadlineExceeded), []string{"no-answer-from-store-because", "deadline-exceeded"}},
		{fmt.Errorf("%w: %w", zklock.ErrSessionLost, zklock.ErrClosed), []string{"session-lost", "session-closed"}},
		{fmt.Errorf("%w: nothing acknowledged within its timeout of 4s", zklock.ErrSessionLost), []string{"session-lost", "nothing-acknowledged"}},
		{fmt.Errorf("%w: znode was deleted by another", zklock.ErrLost), []string{"lock-lost", "deleted-by-another"}},
		{errors.New("nothing acknowledged within its timeout of ages"), []string{"text"}},
		{fmt.Errorf("it is odd: %w", zklock.ErrHeld), []string{"text"}},
	} {
		reason := Because(test.err)
		if reason.English() != test.err.Error() {
			t.Errorf("%q, want %q", reason.English(), test.err)
		}
		for _, code := range test.codes {
			if !reason.Has(code) {
				t.Errorf("%v is %+v, want %s", test.err, reason, code)
			}
		}
	}
	if reason := Because(nil); reason != nil {
		t.Errorf("no error is %+v", reason)
	}
}
