package web_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// busy is a scenario that is as fast as it can be.
const busy = `{"name": "busy", "title": "Busy", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 10, "session": "10s", "hold": {"min": "1ms", "max": "1ms"}, "think": {"min": "1ms", "max": "1ms"}, "seed": 1}`

// BenchmarkDownloads tells how fast a run goes on while ten visitors load its log, over
// and over, in each of the ways there are.
func BenchmarkDownloads(b *testing.B) {
	alone := 0.0
	for _, what := range []string{"nothing", "events", "recording", "export.html"} {
		b.Run("load="+what, func(b *testing.B) {
			for b.Loop() {
				rate := measureDownloads(b, what)
				if what == "nothing" {
					alone = rate
				}
				b.ReportMetric(rate/alone, "of-alone")
			}
		})
	}
}

// measureDownloads returns how many events a second the run had.
func measureDownloads(b *testing.B, what string) float64 {
	const visitors = 10
	s := open(b, bundled(b))
	s.start(`{"scenario": ` + busy + `}`)
	log := s.run().Log()
	for events := recorded(b); log.Size() < 40<<20; {
		for _, e := range events {
			if _, err := log.Append(e); err != nil {
				b.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(b.Context())
	var loading sync.WaitGroup
	loaded := make([]int64, visitors)
	for i := range loaded {
		if what != "nothing" {
			loading.Go(func() { loaded[i] = s.load(ctx, "/api/rooms/main/"+what) })
		}
	}
	from := log.Len()
	began := time.Now()
	time.Sleep(*fanout)
	rate := float64(log.Len()-from) / time.Since(began).Seconds()
	cancel()
	loading.Wait()
	total := int64(0)
	for _, bytes := range loaded {
		total += bytes
	}
	b.ReportMetric(float64(total)/(1<<20)/time.Since(began).Seconds(), "MiB/s")
	b.ReportMetric(rate, "events/s")
	b.ReportMetric(0, "ns/op")
	return rate
}

// load loads a file again and again, as it is on the wire, and says how many bytes that
// were.
func (s *site) load(ctx context.Context, path string) int64 {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	total := int64(0)
	for ctx.Err() == nil {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+path, nil)
		if err != nil {
			break
		}
		request.Header.Set("Accept-Encoding", "gzip")
		response, err := client.Do(request)
		if err != nil {
			break
		}
		n, _ := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		total += n
	}
	return total
}
