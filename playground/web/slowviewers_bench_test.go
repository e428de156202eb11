package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/streamtest"
)

var fanoutRounds = flag.Int("fanout.rounds", 1, "how often BenchmarkSlowViewers measures each kind of slow viewer")

// A slowKind is how a viewer is slow.
type slowKind struct {
	name string
	// every is the time between two bytes that it reads; at zero it reads nothing.
	every time.Duration
	// times is how often it comes anew.
	times int
}

// BenchmarkSlowViewers tells how old events are when they come to 50 viewers, alone and
// beside one that is slow. It does so round by round, and twice alone in each, so that
// what changes from one measurement to the next without a reason is seen, too. In the end
// the slow one goes on where it was, and must have had every event once.
func BenchmarkSlowViewers(b *testing.B) {
	kinds := []*slowKind{nil, nil, {name: "stops-reading"}, {name: "reads-a-byte-a-second", every: time.Second}, {name: "reconnects", times: 100}}
	for b.Loop() {
		ratios := make([][]float64, len(kinds))
		for range *fanoutRounds {
			var alone report
			line := "p99 in ms beside" // the testing package shows ten of them
			for i, slow := range kinds {
				told, _ := fanoutKind{reading: reading{Viewers: 50, Checked: 50}, slow: slow}.measure(b)
				if i == 0 {
					alone = told
				}
				line += fmt.Sprintf(" %s %.1f", slow, float64(told.P99)/1000)
				if slow != nil {
					line += fmt.Sprintf(" (came %d times)", told.Came)
				}
				ratios[i] = append(ratios[i], float64(told.P99)/float64(alone.P99))
			}
			b.Log(line)
		}
		for i, slow := range kinds[1:] {
			b.ReportMetric(median(ratios[i+1]), fmt.Sprintf("p99-beside-%s/alone", slow))
		}
		b.ReportMetric(0, "ns/op")
	}
}

func (k *slowKind) String() string {
	if k == nil {
		return "nobody"
	}
	return k.name
}

func median(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// follow has a slow viewer follow the log. The function that it returns ends the
// slowness, waits until the viewer has had the last event, and tells how often it came.
func (s *site) follow(b *testing.B, k slowKind, last int64) (end func() (came int)) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	v := &slowViewer{slowKind: k, site: s, slow: ctx}
	var following sync.WaitGroup
	following.Go(func() { v.err = v.follow(last) })
	return func() int {
		cancel()
		following.Wait()
		if v.err != nil {
			b.Errorf("the viewer that %s: %v", k.name, v.err)
		}
		return v.came
	}
}

// A slowViewer is slow until a context ends.
type slowViewer struct {
	slowKind
	*site
	slow context.Context
	came int
	err  error
}

// follow reads up to the last event, and goes on where it was each time it is let go.
func (v *slowViewer) follow(last int64) error {
	ctx := v.within()
	config := streamtest.Config{Address: v.address, Path: streamPath}
	var conn *slowConn
	if v.times == 0 {
		config.Wrap = func(c net.Conn) net.Conn {
			conn = &slowConn{Conn: c, slowViewer: v}
			return conn
		}
	}
	stream, err := streamtest.NewFrames().Dial(ctx, config)
	if err != nil {
		return err
	}
	defer func() { stream.Close() }()
	for v.came = 1; stream.Due() <= last; v.came++ {
		if conn != nil {
			conn.connected = true
		}
		err := v.read(stream, last)
		if err != nil && (errors.Is(err, streamtest.ErrWrongEvent) || ctx.Err() != nil) {
			return err
		}
		if stream.Due() > last {
			return nil
		}
		if err := stream.Resume(ctx); err != nil {
			return err
		}
	}
	return nil
}

// read reads until the last event, or until the viewer is let go, or goes by itself.
func (v *slowViewer) read(stream *streamtest.Viewer, last int64) error {
	for stream.Due() <= last {
		if _, err := stream.Next(); err != nil {
			return err
		}
		if v.came < v.times && stream.Due() > 1 { // it has something to come back for
			sleep(v.slow, *fanout/time.Duration(v.times))
			return nil
		}
	}
	return nil
}

// A slowConn gives its viewer what there is a byte at a time, or nothing, once it is
// connected. It holds little.
type slowConn struct {
	net.Conn
	*slowViewer
	connected bool
}

func (c *slowConn) Read(p []byte) (int, error) {
	if !c.connected || c.slow.Err() != nil {
		return c.Conn.Read(p)
	}
	if c.every == 0 {
		<-c.slow.Done()
		return c.Conn.Read(p)
	}
	sleep(c.slow, c.every)
	return c.Conn.Read(p[:1])
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
