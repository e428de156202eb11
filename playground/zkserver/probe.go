package zkserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

var (
	// ErrNotServing: the server answers, but is not ready for clients.
	ErrNotServing = errors.New("ZooKeeper is not serving requests")
	// ErrNotZooKeeper: what answered does not speak as ZooKeeper does.
	ErrNotZooKeeper = errors.New("not a ZooKeeper's answer")
)

const (
	// maxAnswer bounds what is read of an answer, in bytes.
	maxAnswer = 64 << 10
	// readyPoll is the pause between two questions to a server that boots.
	readyPoll = 10 * time.Millisecond
)

// Probe asks the server at address (host:port) how it is, by srvr. It takes at
// most two seconds, less if ctx ends sooner. Only a server that serves clients
// gives Stats; the error otherwise wraps [ErrNotServing], [ErrNotZooKeeper] or
// the network's.
func Probe(ctx context.Context, address string) (Stats, error) {
	return probe(ctx, address, longTimeout)
}

func probe(ctx context.Context, address string, timeout time.Duration) (Stats, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := Ask(ctx, address, "srvr")
	if err != nil {
		return Stats{}, err
	}
	return parseStats(answer)
}

// Ready waits until the server at address serves clients. It returns nil then,
// and otherwise the last failure together with the cause of ctx's end.
func Ready(ctx context.Context, address string) error {
	_, err := ready(ctx, address)
	return err
}

// ready is Ready, and returns what the server says then.
func ready(ctx context.Context, address string) (Stats, error) {
	poll := time.NewTicker(readyPoll)
	defer poll.Stop()
	for timeout := shortTimeout; ; {
		stats, err := probe(ctx, address, timeout)
		if err == nil {
			return stats, nil
		}
		timeout = nextTimeout(timeout, err)
		select {
		case <-ctx.Done():
			return Stats{}, fmt.Errorf("wait for ZooKeeper at %s: %w: %w", address, context.Cause(ctx), err)
		case <-poll.C:
		}
	}
}

// Ask sends a four-letter word to the server at address and returns all of the answer, within
// the time that ctx allows.
func Ask(ctx context.Context, address, word string) (string, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err // names the address already
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := io.WriteString(conn, word); err != nil {
		return "", fmt.Errorf("ask %s for %s: %w", address, word, endOf(ctx, err))
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxAnswer))
	if err != nil {
		return "", fmt.Errorf("ask %s for %s: %w", address, word, endOf(ctx, err))
	}
	return string(answer), nil
}

// endOf prefers the end of ctx, which closed the connection, to the
// complaint about a closed connection.
func endOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// The time that one question and its answer may take. A booting server may
// accept a connection and never read it, so waiting long for it is a waste; a
// busy one may be slow, so giving up early on it is an error.
const (
	shortTimeout = 100 * time.Millisecond
	longTimeout  = 2 * time.Second
)

// nextTimeout is how long to wait for the next answer after one question with
// the given timeout ended with err: long for a server that serves, else short,
// doubled while the questions time out.
func nextTimeout(last time.Duration, err error) time.Duration {
	switch {
	case err == nil:
		return longTimeout
	case errors.Is(err, context.DeadlineExceeded) && last < longTimeout:
		return min(2*last, longTimeout)
	default:
		return shortTimeout
	}
}
