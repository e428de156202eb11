package zklock

import (
	"errors"
	"fmt"
	"testing"
)

// A permitWorld is what a model begins with.
type permitWorld struct {
	clients, limit int
	holders        int // of the clients, who have come one by one
	resize         int // another limit, 0 for none
	reconnects     int
}

func (w permitWorld) String() string {
	return fmt.Sprintf("clients=%d limit=%d holders=%d resize=%d reconnects=%d", w.clients, w.limit, w.holders, w.resize, w.reconnects)
}

func (w permitWorld) explore(broken fault) (states int, err error) {
	m := &permitModel{
		limit: bound{w.limit, 2}, clients: make([]modelClient, w.clients), greatest: w.limit,
		reconnects: w.reconnects, resize: w.resize, broken: broken,
	}
	for i := range w.holders {
		m.queue = append(m.queue, i)
		m.clients[i] = modelClient{phase: holding, created: m.limit.at + 1}
	}
	e := &explorer{seen: make(map[string]bool)}
	err = e.explore(m)
	return len(e.seen), err
}

// Whatever order things happen in, and whoever crashes or gives up at any
// moment: no more hold than may, nobody sleeps while a permit is free, and
// nobody is busy for ever.
func TestPermitModel(t *testing.T) {
	t.Parallel()
	for _, w := range []permitWorld{
		{clients: 3, limit: 1, reconnects: 1},
		{clients: 3, limit: 2, reconnects: 1},
		{clients: 3, limit: 1, resize: 2},
		{clients: 3, limit: 2, resize: 1},
		{clients: 4, limit: 2},
		{clients: 4, limit: 3, holders: 3, resize: 2},
	} {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			states, err := w.explore(nothing)
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d states", states)
			if states < 1000 {
				t.Errorf("only %d states", states)
			}
		})
	}
}

// Each part of the protocol is needed: the model notices when it is missing.
func TestPermitModelNotices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		broken fault
		world  permitWorld
		want   error
	}{
		{"no mark", noMark, permitWorld{clients: 4, limit: 2}, errStuck},
		{"deaf to the mark", deafToMark, permitWorld{clients: 4, limit: 2}, errStuck},
		{"blind to the mark", blindToMark, permitWorld{clients: 4, limit: 2}, errStuck},
		{"trust who is older than the limit", trustTheOld, permitWorld{clients: 4, limit: 3, holders: 3, resize: 2}, errStuck},
		{"limit raised in silence", noBell, permitWorld{clients: 3, limit: 1, resize: 2}, errStuck},
		{"listing and limit of two moments", mixedMoments, permitWorld{clients: 3, limit: 1, resize: 2}, errStuck},
		{"deaf to a reconnect", deafToReconnect, permitWorld{clients: 2, limit: 1, reconnects: 1}, errStuck},
		{"one permit too many", greedy, permitWorld{clients: 3, limit: 2}, errTooMany},
		{"asleep with one eye open", restless, permitWorld{clients: 2, limit: 1}, errBusy},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if states, err := c.world.explore(c.broken); !errors.Is(err, c.want) {
				t.Errorf("%v after %d states, want: %v", err, states, c.want)
			}
		})
	}
}

func FuzzParseLimit(f *testing.F) {
	for _, seed := range []string{"", "1", "2147483647", "2147483648", "0", "-1", "+1", "01", "1 ", "x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parseLimit(data)
		switch {
		case err != nil && !errors.Is(err, ErrLimitMismatch):
			t.Errorf("parseLimit(%q) = %v", data, err)
		case err == nil && (checkLimit(n) != nil || string(formatLimit(n)) != string(data)):
			t.Errorf("parseLimit(%q) = %d", data, n)
		}
	})
}
