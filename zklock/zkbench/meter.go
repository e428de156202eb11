package main

import (
	"context"
	"time"
)

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

// passed returns what has passed since it was last called. A match stands, but
// those who do not hold may still be on their way into the queue, above all in
// a herd. So it waits for silence.
func (m *meter) passed(ctx context.Context) (traffic, error) {
	before := m.last
	err := m.read(ctx)
	began, previous := time.Now(), before
	for err == nil && m.last != previous && time.Since(began) < settleTimeout {
		previous = m.last
		if err = pause(ctx, silence); err == nil {
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
