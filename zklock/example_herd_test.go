package zklock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// The lesson of the herd: a waiter is woken by changes that do not concern it.
func ExampleHerdMutex() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	mutex := zklock.NewHerdMutex(session, "/examples/herd")
	holder, err := mutex.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	waits, lookedAgain := make(chan struct{}, 16), make(chan struct{}, 16)
	waiting, giveUp := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		_, err := mutex.Lock(zklock.WithTrace(waiting, &zklock.Trace{
			WaitStart: func(zklock.WaitStartInfo) { waits <- struct{}{} },
			WaitDone:  func(zklock.WaitDoneInfo) { lookedAgain <- struct{}{} },
		}))
		done <- err
	}()
	<-waits
	_, err = mutex.TryLock(ctx) // another comes, and stands behind
	fmt.Println("another came:", err != nil)
	<-lookedAgain
	fmt.Println("and the first waiter was woken, for nothing")
	giveUp()
	fmt.Println("gave up:", <-done != nil)
	fmt.Println("unlocked:", holder.Unlock(ctx) == nil)
	// Output:
	// another came: true
	// and the first waiter was woken, for nothing
	// gave up: true
	// unlocked: true
}
