package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// exampleTB lets examples, which get no testing.TB, start the server.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()           {}
func (exampleTB) Fatal(args ...any) { log.Panic(args...) }

// servers is a list of addresses; in your program, that of your ensemble.
func servers() []string { return []string{zktest.Start(exampleTB{}).Address()} }

func ExampleMutex() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	mutex := zklock.NewMutex(session, "/examples/mutex")
	lease, err := mutex.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	// Work with lease.Context(): it ends when the lock is lost.
	fmt.Println("held:", lease.Context().Err() == nil)
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	fmt.Println("over:", context.Cause(lease.Context()))
	// Output:
	// held: true
	// over: zklock: unlocked
}

func ExampleMutex_TryLock() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	mutex := zklock.NewMutex(session, "/examples/try")
	lease, err := mutex.TryLock(ctx)
	if err != nil {
		log.Panic(err)
	}
	_, err = mutex.TryLock(ctx) // not reentrant
	fmt.Println("held by another:", errors.Is(err, zklock.ErrHeld))
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	// Output: held by another: true
}

func ExampleRWMutex() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	lock := zklock.NewRWMutex(session, "/examples/rw")
	for range 2 { // readers share
		lease, err := lock.RLock(ctx)
		if err != nil {
			log.Panic(err)
		}
		defer lease.Unlock(ctx)
		fmt.Println(lease.Mode())
	}
	_, err = lock.TryLock(ctx)
	fmt.Println("no writer:", errors.Is(err, zklock.ErrHeld))
	// Output:
	// read
	// read
	// no writer: true
}

func ExampleDo() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	err = zklock.Do(ctx, zklock.NewMutex(session, "/examples/do").Lock, func(ctx context.Context, lease *zklock.Lease) error {
		fmt.Println("at work, and held:", lease.Check(ctx) == nil)
		return ctx.Err() // ends with the lease, too
	})
	fmt.Println("done:", err == nil)
	// Output:
	// at work, and held: true
	// done: true
}

// Guard keeps a holder who has lost the lock, and does not know, from writing.
func ExampleLease_Guard() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	lease, err := zklock.NewMutex(session, "/examples/guard").Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	write := func(path string) error {
		create := &zk.CreateRequest{Path: path, Flags: zk.FlagEphemeral, Acl: zk.WorldACL(zk.PermAll)}
		_, err := session.Client().Multi(lease.Guard(), create)
		return err
	}
	fmt.Println("holder writes:", write("/examples/first"))
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	fmt.Println("late writer is refused:", write("/examples/second") != nil)
	// Output:
	// holder writes: <nil>
	// late writer is refused: true
}

func ExampleWithTrace() {
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(context.Background())

	ctx := zklock.WithTrace(context.Background(), &zklock.Trace{
		Listed:   func(i zklock.ListedInfo) { fmt.Println("ahead of me:", i.Position) },
		Acquired: func(zklock.AcquiredInfo) { fmt.Println("acquired") },
		Released: func(i zklock.ReleasedInfo) { fmt.Println("released:", i.Err == nil) },
	})
	lease, err := zklock.NewMutex(session, "/examples/trace").Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	// Output:
	// ahead of me: 0
	// acquired
	// released: true
}
