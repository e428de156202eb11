package event

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// ErrNoEvent is returned by readers that ask for an event that the log does
// not hold: one below 1.
var ErrNoEvent = errors.New("no such event")

// Lines returns the JSON of consecutive events from Seq from on, one a line,
// each ended by a newline, and how many they are: at most limit, and fewer when
// a segment ends. No lines and no error means that there are none yet.
// The bytes are shared: do not change them.
func (l *Log) Lines(from int64, limit int) ([]byte, int, error) {
	piece, err := l.Find(from, limit)
	if err != nil {
		return nil, 0, err
	}
	text, err := piece.Read()
	if err != nil {
		return nil, 0, fmt.Errorf("read events from %d: %w", from, err)
	}
	return text, piece.Events, nil
}

// Find is Lines but for the reading, which may take as long as the disk does.
func (l *Log) Find(from int64, limit int) (Piece, error) {
	if from < 1 {
		return Piece{}, fmt.Errorf("event %d: %w", from, ErrNoEvent)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if from > l.count {
		return Piece{}, nil
	}
	return l.segmentOf(from).piece(from, limit), nil
}

// segmentOf finds the segment that holds event seq, which must exist.
func (l *Log) segmentOf(seq int64) *segment {
	low, high := 0, len(l.segments)-1
	for low < high {
		middle := (low + high + 1) / 2
		if l.segments[middle].first <= seq {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return l.segments[low]
}

// Read is Lines, decoded.
func (l *Log) Read(from int64, limit int) ([]Event, error) {
	text, n, err := l.Lines(from, limit)
	if err != nil || n == 0 {
		return nil, err
	}
	events := make([]Event, 0, n)
	decoder := json.NewDecoder(bytes.NewReader(text))
	for range n {
		var e Event
		if err := decoder.Decode(&e); err != nil {
			return nil, fmt.Errorf("decode event %d: %w", from+int64(len(events)), err)
		}
		events = append(events, e)
	}
	return events, nil
}

// readBatch is how many events are decoded at a time.
const readBatch = 256

// Events yields the events from Seq from on, as many as the log has. It ends early with
// an error when they cannot be read.
func (l *Log) Events(from int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			events, err := l.Read(from, readBatch)
			if err != nil {
				yield(Event{}, err)
				return
			}
			if len(events) == 0 {
				return
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
			from += int64(len(events))
		}
	}
}

// Follow is Events, and waits for those to come. It ends with the error of Wait, or when
// events cannot be read.
func (l *Log) Follow(ctx context.Context, from int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			for e, err := range l.Events(from) {
				if !yield(e, err) || err != nil {
					return
				}
				from = e.Seq + 1
			}
			if err := l.Wait(ctx, from); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// Grown returns a channel that is closed when the log holds more than the first
// n events, or has been sealed: then there may be something to read, or never
// will be again.
func (l *Log) Grown(n int64) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grown == nil {
		l.grown = make(chan struct{})
	}
	grown := l.grown
	if l.count > n || l.sealed {
		l.wake()
	}
	return grown
}

// Sealed says that no event will be added.
func (l *Log) Sealed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sealed
}

// Wait returns when event seq is in the log, with ErrSealed when it never will
// be, or with the context's error.
func (l *Log) Wait(ctx context.Context, seq int64) error {
	for l.Len() < seq {
		if l.Sealed() {
			return ErrSealed
		}
		select {
		case <-l.Grown(seq - 1):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// linesAtOnce is how many events are read at a time to be written on.
const linesAtOnce = 2048

// WriteLines writes the events from from to to that the log has by now, one a line.
func (l *Log) WriteLines(w io.Writer, from, to int64) error {
	for last := min(to, l.Len()); from <= last; {
		lines, n, err := l.Lines(from, min(linesAtOnce, int(last-from+1)))
		if err != nil {
			return err
		}
		if _, err := w.Write(lines); err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}
