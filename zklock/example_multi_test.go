package zklock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A transfer locks both accounts. Another, the other way round, may run at the
// same time: the two do not deadlock.
func ExampleMulti() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	transfer := func(from, to string) error {
		accounts, err := zklock.NewMulti(session, []string{"/examples/accounts/" + from, "/examples/accounts/" + to})
		if err != nil {
			return err
		}
		lease, err := accounts.Lock(ctx)
		if err != nil {
			return err
		}
		fmt.Println("a transfer holds", len(lease.Nodes()), "locks")
		return lease.Unlock(ctx)
	}
	back := make(chan error)
	go func() { back <- transfer("bob", "alice") }()
	fmt.Println(transfer("alice", "bob"), <-back)

	// Output:
	// a transfer holds 2 locks
	// a transfer holds 2 locks
	// <nil> <nil>
}

// The guards keep a holder who has lost one of the locks, and does not know,
// from writing.
func ExampleMultiLease_Guards() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	both, err := zklock.NewMulti(session, []string{"/examples/left", "/examples/right"})
	if err != nil {
		log.Panic(err)
	}
	lease, err := both.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	write := func(path string) error {
		create := &zk.CreateRequest{Path: path, Flags: zk.FlagEphemeral, Acl: zk.WorldACL(zk.PermAll)}
		_, err := session.Client().Multi(append(lease.Guards(), create)...)
		return err
	}
	fmt.Println("holder writes:", write("/examples/multi-first"))
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	fmt.Println("late writer is refused:", write("/examples/multi-second") != nil)
	// Output:
	// holder writes: <nil>
	// late writer is refused: true
}
