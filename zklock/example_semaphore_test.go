package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

func ExampleSemaphore() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	workers := zklock.NewSemaphore(session, "/examples/semaphore", 2)
	for range 2 {
		lease, err := workers.Acquire(ctx)
		if err != nil {
			log.Panic(err)
		}
		defer lease.Unlock(ctx)
		fmt.Println("at work:", lease.Context().Err() == nil)
	}
	_, err = workers.TryAcquire(ctx)
	fmt.Println("a third has to wait:", errors.Is(err, zklock.ErrHeld))

	_, err = zklock.NewSemaphore(session, "/examples/semaphore", 9).Acquire(ctx)
	fmt.Println(err)
	// Output:
	// at work: true
	// at work: true
	// a third has to wait: true
	// zklock: lock /examples/semaphore: the semaphore's limit is not the stored one: own 9, stored 2
}

// The limit is changed while a client waits, who then gets a permit.
func ExampleSemaphore_Resize() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	workers := zklock.NewSemaphore(session, "/examples/resize", 1)
	first, err := workers.Acquire(ctx)
	if err != nil {
		log.Panic(err)
	}
	defer first.Unlock(ctx)

	waits, came := make(chan struct{}), make(chan *zklock.Lease)
	go func() {
		var once bool
		ctx := zklock.WithTrace(ctx, &zklock.Trace{WaitStart: func(zklock.WaitStartInfo) {
			if !once {
				close(waits)
			}
			once = true
		}})
		lease, err := workers.Acquire(ctx)
		if err != nil {
			log.Panic(err)
		}
		came <- lease
	}()
	<-waits
	if err := workers.Resize(ctx, 2); err != nil {
		log.Panic(err)
	}
	second := <-came
	defer second.Unlock(ctx)
	fmt.Println("two of", workers.Limit(), "hold, in order:", first.Token() < second.Token())

	// A smaller limit takes nothing from those who hold.
	if err := workers.Resize(ctx, 1); err != nil {
		log.Panic(err)
	}
	fmt.Println("both still hold:", first.Check(ctx) == nil && second.Check(ctx) == nil)
	// Output:
	// two of 2 hold, in order: true
	// both still hold: true
}
