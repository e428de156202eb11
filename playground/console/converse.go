package console

import (
	"context"
	"fmt"
	"net"
	"time"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

const (
	// LongestLine is how many bytes a line may have.
	LongestLine = 8 << 10
	// requestsPerSecond and requestsAtOnce bound how often a console does something;
	// who asks for more waits.
	requestsPerSecond = 20
	requestsAtOnce    = 60
	// endSession bounds the good end of a session; one that is not closed by then ends
	// by its timeout.
	endSession = time.Second
)

// A Config is what a console needs.
type Config struct {
	// Server is the name in the prompt.
	Server string
	// Session is the session timeout to ask for.
	Session time.Duration
	// Dial opens a connection to ZooKeeper.
	Dial func(ctx context.Context) (net.Conn, error)
	// Keep are znodes that others need: to delete one takes the same line twice.
	Keep []string
}

// Converse does requests until ctx ends, there are no more, or one of them is quit; then
// it says so. The session ends with it.
func Converse(ctx context.Context, config Config, requests <-chan Request, out *Outbox) (quit bool) {
	guard := guard{keep: config.Keep}
	changed := make(chan struct{}, 1) // the session's state, which the prompt has
	console, err := zkcli.New(zkcli.Config{
		Server: config.Server, Connect: config.connector(changed), Refuse: guard.refuse,
		Output: func(stream zkcli.Stream, text string) { out.Write(streamName(stream), text) },
		Zone:   time.UTC,
	})
	if err != nil { // the connector returns none
		return false
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endSession)
		defer cancel()
		_ = console.Close(ending)
	}()
	pace := rate.NewLimiter(requestsPerSecond, requestsAtOnce)
	out.Put(Frame{Prompt: console.Prompt()})
	for {
		select {
		case r, more := <-requests:
			if !more || pace.Wait(ctx) != nil || do(ctx, console, r, out) {
				return more && ctx.Err() == nil
			}
		case <-changed:
			out.Put(Frame{Prompt: console.Prompt()})
		case <-ctx.Done():
			return false
		}
	}
}

// connector begins sessions for zkcli; what becomes of their state is noted in changed.
func (c Config) connector(changed chan<- struct{}) func(string, func(zkcli.Event)) (zkcli.Session, error) {
	return func(_ string, told func(zkcli.Event)) (zkcli.Session, error) {
		note := func(e zkcli.Event) {
			told(e)
			select {
			case changed <- struct{}{}:
			default:
			}
		}
		return zkcli.NewClient(zkcli.ClientOptions{Servers: []string{c.Server}, Timeout: c.Session, OnEvent: note,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.Dial(ctx) }}), nil
	}
}

// do does one request, and says whether it was quit.
func do(ctx context.Context, console *zkcli.Console, r Request, out *Outbox) (quit bool) {
	switch {
	case r.Line != nil && len(*r.Line) > LongestLine:
		out.Write("err", fmt.Sprintf("a line of %d bytes is too long, %d is the limit\n", len(*r.Line), LongestLine))
	case r.Line != nil:
		if console.Execute(ctx, *r.Line) {
			return true
		}
	case r.Complete != nil && len(*r.Complete) <= LongestLine:
		start, words := console.Complete(ctx, *r.Complete)
		out.Put(Frame{Completions: completions(*r.Complete, start, words)})
		return false
	}
	out.Put(Frame{Prompt: console.Prompt(), Done: true})
	return false
}
