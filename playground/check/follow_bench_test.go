package check_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// BenchmarkFollow measures what one event costs all that follows from it, in a queue of so many
// clients in which each waits for the one ahead, or all for their directory. It should be about
// the same however many they are.
func BenchmarkFollow(b *testing.B) {
	for _, recipe := range []string{"mutex", "herd"} {
		for _, clients := range []int{250, 500, 1000, 2000} {
			b.Run(fmt.Sprintf("%s/%d", recipe, clients), func(b *testing.B) {
				run, events := turns(recipe, clients, 40_000)
				b.ResetTimer()
				for range b.N {
					follow := check.Follow(run)
					for _, e := range events {
						follow(e)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
			})
		}
	}
}

// turns are the first so many events of clients that take turns, as the tap and the observer tell them.
func turns(recipe string, clients, most int) (event.Run, []event.Event) {
	lane := event.Lane{Name: "lane", Recipe: recipe, Path: lockPath, Clients: clients}
	var events []event.Event
	zxid, made := int64(0), 0
	queue := make([]string, clients+1) // the znode of each client
	frames := make([]int64, clients+1)
	add := func(e event.Event) {
		e.Lane, e.Seq, e.At = lane.Name, int64(len(events)+1), int64(len(events)+1)*10
		if e.Kind == event.WireSent || e.Kind == event.WireReceived {
			frames[e.Client]++
			e.Frame, e.Xid = frames[e.Client], int32(frames[e.Client])
		}
		events = append(events, e)
	}
	ask := func(client int, op, path string, watch bool) {
		add(event.Event{Kind: event.WireSent, Client: client, Op: op, Path: path, Watch: watch})
		add(event.Event{Kind: event.WireReceived, Client: client, Op: op, Path: path, Watch: watch, Zxid: zxid, Children: len(queue)})
	}
	ahead := func(client int) string {
		if recipe == "herd" {
			return lockPath
		}
		return queue[(client+clients-2)%clients+1]
	}
	wait := func(client int) {
		if recipe == "herd" {
			ask(client, "getChildren", lockPath, true)
		} else {
			ask(client, "getData", ahead(client), true)
		}
		add(event.Event{Kind: event.LockWaiting, Client: client, Path: queue[client], Predecessor: ahead(client)})
	}
	join := func(client int) {
		zxid++
		queue[client] = node(made, false)
		made++
		ask(client, "create", queue[client], false)
		add(event.Event{Kind: event.TreeCreated, Client: client, Path: queue[client], Cause: "client", Session: fmt.Sprint("0x", client), Zxid: zxid})
		add(event.Event{Kind: event.TreeSynced, Zxid: zxid})
		add(event.Event{Kind: event.LockEnqueued, Client: client, Path: queue[client], Token: zxid})
	}
	for client := 1; client <= clients; client++ {
		add(event.Event{Kind: event.SessionGranted, Client: client, Session: fmt.Sprint("0x", client), Timeout: 6000})
		add(event.Event{Kind: event.SessionConnected, Client: client})
		join(client)
		if client > 1 {
			wait(client)
		}
	}
	for holder := 1; len(events) < most; holder = holder%clients + 1 {
		add(event.Event{Kind: event.LockAcquired, Client: holder, Path: queue[holder]})
		add(event.Event{Kind: event.LockReleased, Client: holder, Path: queue[holder]})
		zxid++
		ask(holder, "delete", queue[holder], false)
		add(event.Event{Kind: event.TreeDeleted, Client: holder, Path: queue[holder], Cause: "client", Zxid: zxid})
		add(event.Event{Kind: event.TreeSynced, Zxid: zxid})
		next := holder%clients + 1
		woken := []int{next}
		if recipe == "herd" {
			for client := 1; client <= clients; client++ {
				if client != holder && client != next {
					woken = append(woken, client)
				}
			}
		}
		for _, client := range woken {
			add(event.Event{Kind: event.WireReceived, Client: client, Op: "notification", Path: ahead(client),
				Type: map[bool]string{true: "NodeChildrenChanged", false: "NodeDeleted"}[recipe == "herd"]})
			add(event.Event{Kind: event.LockWoken, Client: client, Path: queue[client]})
		}
		for _, client := range woken[1:] {
			wait(client)
		}
		join(holder)
		wait(holder)
	}
	return event.Run{Lanes: []event.Lane{lane}}, events
}
