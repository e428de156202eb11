package web_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// BenchmarkStepViewers does 800 steps by hand while 30 viewers follow as the page
// does, and tells what each viewer is sent apart from the events.
func BenchmarkStepViewers(b *testing.B) {
	const viewers, steps = 30, 800
	s := open(b)
	for b.Loop() {
		s.startStepped()
		var sent atomic.Int64
		var following sync.WaitGroup
		var pages []*page
		for range viewers {
			p := &page{watcher: s.watch("from=1000000000"), site: s, sent: &sent}
			pages = append(pages, p)
			following.Go(p.follow)
		}
		cpu := zktest.ProcessorTime(b)
		for done := 0; done < steps; {
			_, err := s.run().Step(s.within(), step.Command{Do: step.Next})
			if errors.Is(err, step.ErrNoFrame) {
				if err := s.run().Log().Wait(s.within(), s.run().Log().Len()+1); err != nil {
					b.Fatal(err)
				}
				continue
			}
			if err != nil {
				b.Fatal(err)
			}
			done++
		}
		for _, p := range pages {
			s.eventually("each viewer knows of all steps", func() bool { return p.steps.Load() >= steps })
		}
		b.ReportMetric((zktest.ProcessorTime(b) - cpu).Seconds(), "cpu-s/op")
		b.ReportMetric(float64(sent.Load())/viewers/1024, "KiB/viewer")
		for _, p := range pages {
			p.conn.Close()
		}
		following.Wait()
	}
}

// A page is a viewer who keeps the list of steps, as the page does.
type page struct {
	*watcher
	site  *site
	sent  *atomic.Int64
	steps atomic.Int64
}

// follow reads until the connection ends.
func (p *page) follow() {
	for {
		_, text, err := p.conn.ReadMessage()
		if err != nil {
			return
		}
		var f struct {
			Run   *event.Run
			Steps *struct{ Steps int }
		}
		if json.Unmarshal(text, &f) != nil {
			return
		}
		switch {
		case f.Run != nil && int64(f.Run.Steps) != p.steps.Load():
			p.sent.Add(int64(len(text)))
			if !p.fetch() {
				return
			}
			p.steps.Store(int64(f.Run.Steps))
		case f.Run != nil:
			p.sent.Add(int64(len(text)))
		case f.Steps != nil:
			p.sent.Add(int64(len(text)))
			p.steps.Store(int64(f.Steps.Steps))
		}
	}
}

// fetch asks for the steps, and says whether there was an answer.
func (p *page) fetch() bool {
	response, err := http.Get("http://" + p.site.address + stepsPath)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var steps json.RawMessage
	if json.NewDecoder(response.Body).Decode(&steps) != nil {
		return false
	}
	p.sent.Add(int64(len(steps)))
	return true
}
