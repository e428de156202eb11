package client

import (
	"context"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// bearer is a hold that is no more than its token.
type bearer zklock.Token

func (bearer) Node() string                   { return "" }
func (b bearer) Token() zklock.Token          { return zklock.Token(b) }
func (bearer) Lost() <-chan struct{}          { return nil }
func (bearer) Unlock(_ context.Context) error { return nil }

// A visit is one call of the account: to write what was made of a balance, or,
// with none, to read.
type visit struct {
	token zklock.Token
	made  int64
}

func TestLocalAccount(t *testing.T) {
	tests := []struct {
		name    string
		fenced  bool
		visits  []visit
		want    int64 // the balance
		refused int
	}{
		{"one turn", true, []visit{{1, 0}, {1, 100}}, 110, 0},
		{"two turns", true, []visit{{1, 0}, {1, 100}, {2, 0}, {2, 110}}, 120, 0},
		{"late, without a fence", false, []visit{{1, 0}, {2, 0}, {2, 100}, {3, 0}, {3, 110}, {1, 100}}, 110, 0},
		{"late", true, []visit{{1, 0}, {2, 0}, {2, 100}, {3, 0}, {3, 110}, {1, 100}}, 120, 1},
		{"late, after no more than a read", true, []visit{{1, 0}, {2, 0}, {1, 100}, {2, 100}}, 110, 1},
		{"a read that is late", true, []visit{{2, 0}, {1, 0}}, 100, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, log := newBare(t)
			account := &local{fenced: test.fenced, balance: openingBalance}
			for _, v := range test.visits {
				account.visit(t, c, v)
			}
			if account.balance != test.want {
				t.Errorf("the balance is %d, want %d", account.balance, test.want)
			}
			if got := log.count(event.ResourceRefused); got != test.refused {
				t.Errorf("%d refused, want %d", got, test.refused)
			}
		})
	}
}

func (l *local) visit(t *testing.T, c *Process, v visit) {
	if v.made > 0 {
		l.write(t.Context(), c, bearer(v.token), v.made)
		return
	}
	before := l.balance
	if balance, ok := l.read(t.Context(), c, bearer(v.token)); ok && balance != before {
		t.Errorf("token %d reads %d of %d", v.token, balance, before)
	}
}

// TestAccountTakesNothingFromTheCrashed: what the log does not tell, did not happen.
func TestAccountTakesNothingFromTheCrashed(t *testing.T) {
	c, _ := newBare(t)
	account := &local{balance: openingBalance}
	balance, ok := account.read(t.Context(), c, bearer(1))
	c.crashed.Store(true)
	account.write(t.Context(), c, bearer(1), balance)
	if !ok || account.balance != openingBalance {
		t.Errorf("read %t; a dead process has made %d of %d", ok, account.balance, openingBalance)
	}
}
