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
	// a request beyond that waits.
	requestsPerSecond = 20
	requestsAtOnce    = 60
)

// process is the life of one process. Its connections last a little longer than life, so
// that its session can be closed, unless it has crashed.
func (c *Console) process(life context.Context, requests <-chan Request) (quit bool) {
	conns, endConns := context.WithCancel(context.WithoutCancel(life))
	defer endConns()
	guard := guard{keep: c.config.Keep}
	changed := make(chan struct{}, 1) // the session's state, which the prompt has
	console, err := zkcli.New(zkcli.Config{
		Server: c.config.Server, Connect: c.connector(conns, changed), Refuse: guard.refuse, Unknown: c.unknown,
		Output: func(stream zkcli.Stream, text string) {
			if context.Cause(life) != crashed { // it says nothing any more
				c.config.Out.Write(streamOf(stream, text), text)
			}
		},
		Zone: time.UTC,
	})
	if err != nil { // the connector returns none
		return false
	}
	defer func() {
		if context.Cause(life) == crashed {
			endConns()
		}
		ctx, cancel := context.WithTimeout(conns, endSession)
		defer cancel()
		defer context.AfterFunc(ctx, endConns)() // also of a process that is paused
		_ = console.Close(ctx)                   // what could not be closed ends by its timeout
	}()
	return c.converse(life, console, changed, requests)
}

// connector begins sessions for zkcli; what becomes of their state is noted in changed.
func (c *Console) connector(conns context.Context, changed chan<- struct{}) func(string, func(zkcli.Event)) (*zkcli.Client, error) {
	return func(_ string, told func(zkcli.Event)) (*zkcli.Client, error) {
		note := func(e zkcli.Event) {
			told(e)
			select {
			case changed <- struct{}{}:
			default:
			}
		}
		return zkcli.NewClient(zkcli.ClientOptions{Servers: []string{c.config.Server}, Timeout: c.config.Session, OnEvent: note,
			DialContext: func(context.Context, string, string) (net.Conn, error) { return c.dial(conns), nil }}), nil
	}
}

// converse does one request after the other, and says whether the last was quit.
func (c *Console) converse(life context.Context, console *zkcli.Console, changed <-chan struct{}, requests <-chan Request) (quit bool) {
	pace := rate.NewLimiter(requestsPerSecond, requestsAtOnce)
	c.config.Out.Put(Frame{Prompt: console.Prompt()})
	for {
		select {
		case r, more := <-requests:
			if !more || c.gate.Wait(life) != nil || pace.Wait(life) != nil {
				return false
			}
			if c.do(life, console, r) {
				return life.Err() == nil
			}
		case <-changed:
			c.config.Out.Put(Frame{Prompt: console.Prompt()})
		case <-life.Done():
			return false
		}
	}
}

// do does one request, and says whether it was quit.
func (c *Console) do(life context.Context, console *zkcli.Console, r Request) (quit bool) {
	switch {
	case r.Line != nil && len(*r.Line) > LongestLine:
		c.config.Out.Write("err", fmt.Sprintf("a line of %d bytes is too long, %d is the limit\n", len(*r.Line), LongestLine))
	case r.Line != nil:
		if console.Execute(life, *r.Line) {
			return true
		}
	case r.Complete != nil && len(*r.Complete) <= LongestLine:
		start, words := console.Complete(life, *r.Complete)
		c.config.Out.Put(Frame{Completions: completions(*r.Complete, start, words)})
		return false
	}
	if life.Err() == nil {
		c.config.Out.Put(Frame{Prompt: console.Prompt(), Done: true})
	}
	return false
}
