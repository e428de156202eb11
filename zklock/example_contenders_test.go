package zklock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

func ExampleContenders() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	const path = "/examples/contenders"
	for _, name := range []string{"ann", "bob"} {
		lock := zklock.NewRWMutex(session, path, zklock.WithData([]byte(name)))
		lease, err := lock.RLock(ctx)
		if err != nil {
			log.Panic(err)
		}
		defer lease.Unlock(ctx)
	}
	queue, err := zklock.Contenders(ctx, session, path)
	if err != nil {
		log.Panic(err)
	}
	for _, c := range queue {
		fmt.Printf("%s: %s, holds: %v\n", c.Data, c.Mode, c.Holder)
	}
	// Output:
	// ann: read, holds: true
	// bob: read, holds: true
}

// Somebody asks for the lock, and the holder gives it up.
func ExampleRevoke() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	const path = "/examples/revoke"
	lease, err := zklock.NewMutex(session, path).Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	queue, err := zklock.Contenders(ctx, session, path)
	if err != nil {
		log.Panic(err)
	}
	if err := zklock.Revoke(ctx, session, queue[0].Node); err != nil {
		log.Panic(err)
	}
	select {
	case <-lease.Revoked():
		fmt.Println("asked to give up")
	case <-lease.Lost():
		fmt.Println("lost")
	}
	fmt.Println("given up:", lease.Unlock(ctx) == nil)
	// Output:
	// asked to give up
	// given up: true
}
