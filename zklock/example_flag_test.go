package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// The lesson of the flag: whoever crashes with it leaves it locked for ever.
func ExampleFlagLock() {
	ctx := context.Background()
	first, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	if _, err := zklock.NewFlagLock(first, "/examples/flag").Lock(ctx); err != nil {
		log.Panic(err)
	}
	if err := first.Close(ctx); err != nil { // without Unlock, as in a crash
		log.Panic(err)
	}

	second, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer second.Close(ctx)
	flag := zklock.NewFlagLock(second, "/examples/flag")
	_, err = flag.TryLock(ctx)
	fmt.Println("still locked:", errors.Is(err, zklock.ErrHeld))

	// Somebody who knows that the holder is dead empties the znode.
	if _, err := second.Client().Set(flag.Path(), nil, -1); err != nil {
		log.Panic(err)
	}
	hold, err := flag.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("unlocked:", hold.Unlock(ctx) == nil)
	// Output:
	// still locked: true
	// unlocked: true
}
