package zklock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A process leads whenever it can. Another looks on.
func ExampleElection() {
	ctx, cancel := context.WithCancel(context.Background())
	session, err := zklock.Dial(servers(), 10*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)

	election := zklock.NewElection(session, "/examples/leader", zklock.WithData([]byte("10.0.0.1:80")))
	resigned := make(chan error)
	go func() {
		resigned <- zklock.Do(ctx, election.Campaign, func(ctx context.Context, lease *zklock.Lease) error {
			<-ctx.Done() // lead, with lease.Token() or lease.Guard()
			return nil
		})
	}()
	for leader, err := range election.Observe(context.Background()) {
		if err != nil {
			log.Panic(err)
		}
		if leader.Node != "" {
			fmt.Printf("the leader is at %s\n", leader.Data)
			break
		}
	}
	cancel()
	if err := <-resigned; err != nil && !errors.Is(err, context.Canceled) { // before Campaign knew
		log.Panic(err)
	}
	// Output: the leader is at 10.0.0.1:80
}
