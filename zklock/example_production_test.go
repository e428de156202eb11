package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// publish is what the READMEs show.
func publish(ctx context.Context, servers []string) (err error) {
	session, err := zklock.Dial(servers, 10*time.Second)
	if err != nil {
		return err
	}
	defer session.Close(ctx)

	lease, err := zklock.NewMutex(session, "/locks/report").Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lease.Unlock(ctx)) }() // which says when the lease was lost

	report := makeReport(lease.Context()) // ends when the lock may be another's; not with ctx
	_, err = session.Client().Multi(lease.Guard(),
		&zk.SetDataRequest{Path: "/report", Data: report, Version: -1}) // /report must exist
	return err // the write took effect only if the lock was still held
}

func makeReport(context.Context) []byte { return []byte("all is well") }

// A process that publishes a report, and no two at once.
func Example() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)
	if err := session.WaitConnected(ctx); err != nil {
		log.Panic(err)
	}
	_, err = session.Client().Create("/report", nil, 0, zk.WorldACL(zk.PermAll))
	if err != nil && !errors.Is(err, zk.ErrNodeExists) {
		log.Panic(err)
	}
	if err := publish(ctx, servers()); err != nil {
		log.Panic(err)
	}
	report, _, err := session.Client().Get("/report")
	fmt.Println(string(report), err)
	// Output: all is well <nil>
}

// Both READMEs show code that compiles and runs.
func TestReadmesShowTheExample(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("example_production_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../README.md", "README.md"} {
		readme, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, block, _ := strings.Cut(string(readme), "```go\n")
		block, _, found := strings.Cut(block, "```")
		if !found {
			t.Fatalf("%s has no Go code", name)
		}
		for line := range strings.Lines(block) {
			if !strings.Contains(string(source), strings.TrimRight(line, "\n")) && strings.TrimSpace(line) != "" {
				t.Errorf("%s: the example has no line %q", name, line)
			}
		}
	}
}
