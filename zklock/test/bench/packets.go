package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// errMonitor: the server's answer to mntr lacks what we need.
var errMonitor = errors.New("no packet counts in the server's answer to mntr")

const monitorTimeout = 10 * time.Second

// A traffic counts packets of all clients since the server's start.
type traffic struct {
	received, sent int64
}

// readTraffic asks the server at address. Question and answer count too, some
// in this answer, the rest in the next.
func readTraffic(ctx context.Context, address string) (traffic, error) {
	ctx, cancel := context.WithTimeout(ctx, monitorTimeout)
	defer cancel()
	answer, err := zkserver.Ask(ctx, address, "mntr")
	if err != nil {
		return traffic{}, err
	}
	return parseTraffic(answer)
}

// parseTraffic reads lines of a name, a tab and a value.
func parseTraffic(answer string) (t traffic, err error) {
	values := map[string]*int64{"zk_packets_received": &t.received, "zk_packets_sent": &t.sent}
	for line := range strings.Lines(answer) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
		into := values[name]
		if into == nil {
			continue
		}
		if *into, err = strconv.ParseInt(value, 10, 64); err != nil {
			return traffic{}, fmt.Errorf("%w: %w", errMonitor, err)
		}
		delete(values, name)
	}
	if len(values) > 0 {
		return traffic{}, errMonitor
	}
	return t, nil
}

// since is what passed since an earlier answer.
func (t traffic) since(before traffic) traffic {
	return traffic{received: t.received - before.received, sent: t.sent - before.sent}
}

// plus is the traffic of both.
func (t traffic) plus(other traffic) traffic {
	return traffic{received: t.received + other.received, sent: t.sent + other.sent}
}

// times is the traffic of n.
func (t traffic) times(n int64) traffic {
	return traffic{received: t.received * n, sent: t.sent * n}
}

// per is the traffic of one of n.
func (t traffic) per(n int64) traffic {
	return traffic{received: int64(math.Round(float64(t.received) / float64(n))), sent: int64(math.Round(float64(t.sent) / float64(n)))}
}

// questionTraffic measures how a question counts when nobody else sends: 3.8.0
// counts one packet received and two sent.
func questionTraffic(ctx context.Context, address string) (traffic, error) {
	const questions = 10
	first, err := readTraffic(ctx, address)
	last := first
	for range questions {
		if err == nil {
			last, err = readTraffic(ctx, address)
		}
	}
	return last.since(first).per(questions), err
}

// notifications are what the server sent beyond one reply to each request.
func (t traffic) notifications() int64 { return t.sent - t.received }

const (
	// silence is how long nothing passes when nothing more is to come. It is
	// longer than the time after which a holder of zklock watches its own znode.
	silence = 20 * time.Millisecond
	// settleTimeout bounds the wait for it. With some thousand sessions there is
	// always one that sends a ping.
	settleTimeout = time.Second
)

// A meter reads the packets of all clients, less its own questions.
type meter struct {
	address  string  // of the server
	question traffic // what one costs
	asked    int64   // how many were
	last     traffic
}

// newMeter learns, while nobody else sends, what a question costs.
func newMeter(ctx context.Context, address string) (*meter, error) {
	question, err := questionTraffic(ctx, address)
	if err != nil {
		return nil, err
	}
	return &meter{address: address, question: question}, nil
}

// passed returns what has passed since it was last called. A trial stands, but
// those who do not hold may still be on their way into the queue, above all in
// a herd. So it waits for silence.
func (m *meter) passed(ctx context.Context) (traffic, error) {
	before := m.last
	err := m.read(ctx)
	began, previous := time.Now(), before
	for err == nil && m.last != previous && time.Since(began) < settleTimeout {
		previous = m.last
		if err = pause(ctx, silence, nil); err == nil {
			err = m.read(ctx)
		}
	}
	return m.last.since(before), err
}

// read asks once.
func (m *meter) read(ctx context.Context) error {
	now, err := readTraffic(ctx, m.address)
	if err == nil {
		m.asked++
		m.last = now.since(m.question.times(m.asked))
	}
	return err
}
