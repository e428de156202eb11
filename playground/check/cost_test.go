package check_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// queueLog is the log of clients that hand a lock on to each other, each watching the
// znode ahead of its own.
func queueLog(clients, turns int) []event.Event {
	var log []event.Event
	note := func(e event.Event) {
		e.Seq, e.At, e.Lane = int64(len(log)+1), int64(len(log)+1), "mutex"
		log = append(log, e)
	}
	node := func(place int) string { return fmt.Sprintf("/playground/r/mutex/lock-%010d", place) }
	zxid := int64(0)
	var queue []int // clients, first the one that holds
	first := 0
	join := func(client int) {
		place := first + len(queue)
		zxid++
		note(event.Event{Kind: event.TreeCreated, Client: client, Path: node(place), Cause: "client"})
		note(event.Event{Kind: event.WireReceived, Client: client, Op: "create", Path: node(place), Zxid: zxid})
		note(event.Event{Kind: event.LockEnqueued, Client: client, Path: node(place)})
		if queue = append(queue, client); len(queue) > 1 {
			note(event.Event{Kind: event.WireReceived, Client: client, Op: "getData", Path: node(place - 1), Watch: true, Zxid: zxid})
			note(event.Event{Kind: event.LockWaiting, Client: client, Path: node(place), Predecessor: node(place - 1)})
		} else {
			note(event.Event{Kind: event.LockAcquired, Client: client, Path: node(place)})
		}
	}
	for client := 1; client <= clients; client++ {
		join(client)
	}
	for range turns {
		holder := queue[0]
		zxid++
		note(event.Event{Kind: event.LockReleased, Client: holder, Path: node(first)})
		note(event.Event{Kind: event.TreeDeleted, Client: holder, Path: node(first), Cause: "client"})
		note(event.Event{Kind: event.WireReceived, Client: holder, Op: "delete", Path: node(first), Zxid: zxid})
		queue, first = queue[1:], first+1
		note(event.Event{Kind: event.WireReceived, Client: queue[0], Op: "notification", Type: "NodeDeleted", Path: node(first - 1)})
		note(event.Event{Kind: event.LockWoken, Client: queue[0], Path: node(first)})
		note(event.Event{Kind: event.LockAcquired, Client: queue[0], Path: node(first)})
		join(holder)
	}
	return log
}

// BenchmarkApply: an event costs about the same whatever the number of clients.
func BenchmarkApply(b *testing.B) {
	for _, clients := range []int{125, 250, 500, 1000, 2000} {
		log := queueLog(clients, 2000)
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			for b.Loop() {
				follow := check.Follow(event.Run{Lanes: []event.Lane{{Name: "mutex", Path: "/playground/r/mutex", Clients: clients}}})
				for _, e := range log {
					follow(e)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(log)), "ns/event")
		})
	}
}
