package teach_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// The lesson of the flag: whoever crashes with it leaves it locked forever.
func ExampleFlagLock() {
	ctx := context.Background()
	first, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	if _, err := teach.NewFlagLock(first, "/examples/flag", nil).Lock(ctx); err != nil {
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
	flag := teach.NewFlagLock(second, "/examples/flag", nil)
	_, err = flag.TryLock(ctx)
	fmt.Println("still locked:", errors.Is(err, zklock.ErrHeld))

	// Somebody who knows that the holder is dead empties the znode.
	if _, err := second.Client().Set("/examples/flag", nil, -1); err != nil {
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

// The lesson of the herd: a waiter is woken by changes that do not concern it.
func ExampleHerdMutex() {
	ctx := context.Background()
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	mutex := teach.NewHerdMutex(session, "/examples/herd")
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
