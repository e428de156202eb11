package run

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A counted cluster has one node and nothing to break; it counts what it is
// told. What real servers do is tested with them.
type counted struct{ faults, heals int }

func (c *counted) Nodes() int { return 1 }

func (c *counted) Inject(_ context.Context, fault string, _ time.Duration) (server string, why *event.Reason, err error) {
	if fault == "kill-follower" {
		return "", nil, errors.New("there is no follower")
	}
	c.faults++
	return "host:1", event.Text("killed"), nil
}

func (c *counted) Heal(context.Context) error { c.heals++; return nil }

// told are the events of faults that a run has recorded, as "kind fault".
func told(t *testing.T, log *event.Log) []string {
	t.Helper()
	if log.Len() == 0 {
		return nil
	}
	events, err := log.Read(1, 100)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range events {
		if e.Client != 0 || e.Lane != "" {
			t.Errorf("%+v is a client's", e)
		}
		all = append(all, string(e.Kind)+" "+e.Fault)
	}
	return all
}

func newCounted(t *testing.T) (*counted, *outages, *event.Log) {
	log := event.NewLog(event.LogConfig{Dir: t.TempDir()})
	t.Cleanup(func() { _ = log.Close() })
	cluster := new(counted)
	return cluster, newOutages(cluster, newRecorder(log, event.Run{}, Limits{})), log
}

func TestOutageEndsByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster, o, log := newCounted(t)
		for range 2 { // the second restarts the time
			if err := o.inject(t.Context(), scenario.Fault{Name: "kill-leader", Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(600 * time.Millisecond)
		}
		want := []string{"fault.injected kill-leader", "fault.injected kill-leader"}
		if got := told(t, log); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		time.Sleep(time.Second)
		want = append(want, "fault.healed kill-leader")
		if got := told(t, log); !slices.Equal(got, want) || cluster.heals != 0 {
			t.Errorf("got %q and %d heals, want %q and none", got, cluster.heals, want)
		}
	})
}

func TestOutageEndsByHealOrWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster, o, log := newCounted(t)
		ctx := t.Context()
		err := errors.Join(o.inject(ctx, scenario.Fault{Name: "lose-quorum"}), o.heal(ctx), o.heal(ctx),
			o.inject(ctx, scenario.Fault{Name: "restart"}), o.inject(ctx, scenario.Fault{Name: "kill-leader", Parameters: scenario.Parameters{For: scenario.Duration(time.Hour)}}), o.end(ctx))
		want := []string{"fault.injected lose-quorum", "fault.healed lose-quorum", "fault.healed heal-servers",
			"fault.injected restart", "fault.injected kill-leader", "fault.healed kill-leader"}
		if got := told(t, log); err != nil || !slices.Equal(got, want) || cluster.heals != 3 {
			t.Errorf("%v: got %q and %d heals, want %q and 3", err, got, cluster.heals, want)
		}
		if err := o.inject(ctx, scenario.Fault{Name: "restart"}); !errors.Is(err, client.ErrNotRunning) {
			t.Errorf("a fault after the end: %v", err)
		}
		time.Sleep(2 * time.Hour)
		if got := told(t, log); len(got) != len(want) {
			t.Errorf("after the end: %q", got)
		}
	})
}

func TestOutageRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, o, log := newCounted(t)
		if err := o.inject(t.Context(), scenario.Fault{Name: "kill-follower"}); !errors.Is(err, client.ErrImpossible) {
			t.Errorf("%v, want %v", err, client.ErrImpossible)
		}
		if got := told(t, log); len(got) != 0 {
			t.Errorf("told %q though nothing happened", got)
		}
		if err := o.end(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A hanging cluster's servers never serve again.
type hanging struct{ counted }

func (h *hanging) Heal(ctx context.Context) error {
	h.heals++
	<-ctx.Done()
	return ctx.Err()
}

// TestOutageThatDoesNotHeal: the servers were started, so the fault is over; that
// nobody is served yet is an error, and uses up no more than its time.
func TestOutageThatDoesNotHeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, o, log := newCounted(t)
		cluster := new(hanging)
		o.cluster = cluster
		if err := o.inject(t.Context(), scenario.Fault{Name: "lose-quorum"}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := o.heal(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("heal: %v, want %v", err, context.DeadlineExceeded)
		}
		began := time.Now()
		if err := o.end(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("end: %v, want %v", err, context.DeadlineExceeded)
		}
		if took := time.Since(began); took != healTimeout {
			t.Errorf("the end took %v, want %v", took, healTimeout)
		}
		want := []string{"fault.injected lose-quorum", "fault.healed lose-quorum"}
		if got := told(t, log); !slices.Equal(got, want) || cluster.heals != 2 {
			t.Errorf("got %q and %d heals, want %q and 2", got, cluster.heals, want)
		}
	})
}
