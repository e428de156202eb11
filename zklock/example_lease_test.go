package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// Work that takes the lease's context stops when the lock is lost, here because
// somebody deletes its znode.
func ExampleLease_Context() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	lease, err := zklock.NewMutex(session, "/examples/context").Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	work := func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	if err := session.Client().Delete(lease.Node(), -1); err != nil {
		log.Panic(err)
	}
	fmt.Println(work(lease.Context()))
	fmt.Println("lost:", errors.Is(lease.Unlock(ctx), zklock.ErrLost))
	// Output:
	// zklock: lock lost: znode was deleted by another
	// lost: true
}

// A writer that has written lets the readers in, and reads on with them.
func ExampleLease_Downgrade() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	lock := zklock.NewRWMutex(session, "/examples/downgrade")
	writer, err := lock.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	reader, err := writer.Downgrade(ctx)
	if err != nil {
		log.Panic(err)
	}
	defer reader.Unlock(ctx)
	beside, err := lock.RLock(ctx)
	if err != nil {
		log.Panic(err)
	}
	defer beside.Unlock(ctx)
	fmt.Println("was a writer:", context.Cause(writer.Context()))
	fmt.Println("same stay:", reader.Mode(), reader.Token() == writer.Token())
	// Output:
	// was a writer: zklock: unlocked
	// same stay: read true
}
