// A lock of go-zookeeper for `playground judge -- ./mylock`; put yours in its place.
package main

import (
	"encoding/json"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
)

type message map[string]any

func say(m message) { _ = json.NewEncoder(os.Stdout).Encode(m) }

var held, mu = false, new(sync.Mutex) // mu is of what is said of held, too

func become(holds bool, m message) {
	mu.Lock()
	defer mu.Unlock()
	if held != holds {
		held = holds
		say(m)
	}
}

func main() {
	millis, _ := strconv.Atoi(os.Getenv("PLAYGROUND_SESSION_MS"))
	conn, events, err := zk.Connect([]string{os.Getenv("PLAYGROUND_SERVER")}, time.Duration(millis)*time.Millisecond)
	if err != nil {
		panic(err)
	}
	go func() {
		for e := range events { // a holder that is cut off can no longer be sure: it stops at once
			if e.Type == zk.EventSession && e.State != zk.StateHasSession {
				become(false, message{"type": "lost", "why": e.State.String()})
			}
		}
	}()
	lock := new(zk.Lock)
	for in, m := json.NewDecoder(os.Stdin), (message{}); in.Decode(&m) == nil; {
		for err := lock.Unlock(); err != nil && err != zk.ErrNotLocked && err != zk.ErrNoNode; err = lock.Unlock() {
			time.Sleep(100 * time.Millisecond) // what was lost may still be in the queue
		}
		if m["type"] == "release" {
			become(false, message{"type": "released"})
			continue
		}
		lock = zk.NewLock(conn, os.Getenv("PLAYGROUND_LOCK"), zk.WorldACL(zk.PermAll))
		if err := lock.Lock(); err != nil {
			say(message{"type": "failed", "why": err.Error()})
		} else {
			become(true, message{"type": "acquired"})
		}
	}
	conn.Close()
}
