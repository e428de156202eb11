package zklock_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A session on a connection that the program has for other purposes too.
func ExampleNewSession() {
	ctx := context.Background()
	session := zklock.NewSession()
	conn, _, err := zk.Connect(servers(), 10*time.Second,
		zk.WithEventCallback(session.EventCallback),
		zk.WithDialer(session.Dialer(net.DialTimeout)),
		zk.WithHostProvider(session.HostProvider()),
		zk.WithLogInfo(false))
	if err != nil {
		log.Panic(err)
	}
	defer conn.Close()
	if err := session.Bind(conn); err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx) // before the connection

	lease, err := zklock.NewMutex(session, "/examples/brought").Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	found, _, err := conn.Exists(lease.Node())
	fmt.Println("the znode exists:", found, err)
	fmt.Println("unlocked:", lease.Unlock(ctx) == nil)
	// Output:
	// the znode exists: true <nil>
	// unlocked: true
}
