package log_test

import (
	"context"
	stdlog "log"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/log"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

// An exampleTB stands for the test that an example is not given.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()           {}
func (exampleTB) Fatal(args ...any) { stdlog.Panic(args...) }

// constant leaves out what is another each time.
func constant(_ []string, a slog.Attr) slog.Attr {
	if slices.Contains([]string{"time", "node", "token", "waited", "session"}, a.Key) {
		return slog.Attr{}
	}
	return a
}

func Example() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: constant}))
	ctx := context.Background()
	session, err := zklock.Dial([]string{zktest.Start(exampleTB{}).Address()}, 20*time.Second)
	if err != nil {
		stdlog.Panic(err)
	}
	defer session.Close(ctx)
	mutex := zklock.NewMutex(session, "/examples/log", zklock.WithLockTrace(log.Locks(logger)))
	lease, err := mutex.Lock(ctx)
	if err != nil {
		stdlog.Panic(err)
	}
	if err := lease.Unlock(ctx); err != nil {
		stdlog.Panic(err)
	}
	log.Sessions(logger)(zklock.SessionState{State: zklock.Lost, Cause: zklock.ErrSessionLost})
	// Output:
	// level=INFO msg="lock acquired"
	// level=INFO msg="lock released"
	// level=ERROR msg="session lost" error="zklock: session lost"
}
