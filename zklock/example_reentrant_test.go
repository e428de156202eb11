package zklock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

func ExampleReentrant() {
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(context.Background())
	lock := zklock.NewReentrant(session, "/examples/reentrant")

	// write is called on its own and from within save.
	write := func(ctx context.Context, what string) zklock.Token {
		hold, err := lock.Lock(ctx)
		if err != nil {
			log.Panic(err)
		}
		defer hold.Unlock(ctx)
		fmt.Println("write", what)
		return hold.Token()
	}
	save := func(ctx context.Context) {
		hold, err := lock.Lock(ctx)
		if err != nil {
			log.Panic(err)
		}
		defer hold.Unlock(ctx)
		same := write(hold.Context(), "index") == write(hold.Context(), "data")
		fmt.Println("one acquisition:", same)
	}

	save(zklock.WithOwner(context.Background())) // a new owner for each piece of work
	_, err = lock.Lock(context.Background())
	fmt.Println(err)
	// Output:
	// write index
	// write data
	// one acquisition: true
	// zklock: lock /examples/reentrant: the context has no owner, make one with WithOwner
}
