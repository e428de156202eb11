package run

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestInjectionAfterAStop: after the program has stood still, as when it is stopped by a
// signal, faults come as often as before and not at once all that were missed.
func TestInjectionAfterAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stop, after = time.Minute, 10 * time.Second
		var stood atomic.Int64
		began := time.Now()
		run := newRun(Config{Backend: Backend{Servers: []string{"127.0.0.1:1"}}, Base: "/playground", Room: "test", ID: "run", Scenario: scenario.Scenario{
			Name: "crashes", Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}}, Clients: 3,
			Inject: scenario.Injection{"crash": scenario.Duration(scenario.MinInject)}}})
		run.log = event.NewLog(event.LogConfig{Clock: func() time.Duration { return time.Since(began) + time.Duration(stood.Load()) }})
		run.recorder = newRecorder(run.log, run.described(), Limits{})
		run.guests = newGuests(run)
		run.newStepper()
		defer run.log.Close()

		ctx, cancel := context.WithCancel(t.Context())
		run.injection.begin(ctx)
		time.Sleep(after)
		synctest.Wait()
		before := run.log.Len() // there are no clients, so that each fault leaves a note
		stood.Store(int64(stop))
		time.Sleep(after)
		synctest.Wait()
		came := run.log.Len() - before
		cancel()
		run.injection.end()
		if most := int64(2 * after / scenario.MinInject); before == 0 || came == 0 || came > most {
			t.Errorf("%d faults came in %v, and after a stop of %v %d; there may be %d", before, after, stop, came, most)
		}
	})
}
