package step_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// BenchmarkUntil plays a script that lets many clients queue up one by one.
func BenchmarkUntil(b *testing.B) {
	server := zktest.Start(b)
	for _, clients := range []int{200, 400, 800} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) { playUntil(b, server, clients) })
	}
}

func playUntil(b *testing.B, server *zktest.Server, clients int) {
	s := scenario.Scenario{Name: "until", Clients: clients, Session: scenario.Duration(30 * time.Second),
		Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}},
		Hold:  scenario.Range{Min: scenario.Duration(time.Hour), Max: scenario.Duration(time.Hour)}}
	for client := range clients {
		s.Script = append(s.Script, scenario.Step{Fault: scenario.Fault{Client: client + 1}, Until: event.LockEnqueued})
	}
	for b.Loop() {
		cpu := zktest.ProcessorTime(b)
		r, err := run.Start(b.Context(), run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
			Base: server.Root(b) + "/playground", Room: "test", ID: "run", LogDir: b.TempDir(), EndTimeout: time.Minute, Scenario: s})
		if err != nil {
			b.Fatal(err)
		}
		awaitScript(b, r)
		b.ReportMetric((zktest.ProcessorTime(b) - cpu).Seconds(), "cpu-s/op")
		b.ReportMetric(float64(r.Log().Len()), "events")
		r.Stop()
		if err := r.Wait(b.Context()); err != nil {
			b.Error(err)
		}
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	}
}

// awaitScript waits for the end of the run's script, which must be done.
func awaitScript(b *testing.B, r *run.Run) {
	for e, err := range r.Log().Follow(b.Context(), 1) {
		if err != nil {
			b.Fatal(err)
		}
		switch {
		case e.Kind != event.NoteStep || strings.HasPrefix(e.Why, "the network is held"):
		case strings.HasPrefix(e.Why, "the script is done"):
			return
		default:
			b.Fatal(e.Why)
		}
	}
}
