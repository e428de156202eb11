package zklock

import "sync"

// A serial runs functions one at a time, in the order in which they were added,
// on a goroutine that lives only while there is something to run. Adding never
// blocks. The zero value is ready.
type serial struct {
	mu      sync.Mutex
	waiting []func()
	running bool
	done    sync.WaitGroup
}

func (q *serial) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, f)
	if !q.running {
		q.running = true
		q.done.Go(q.run)
	}
}

func (q *serial) run() {
	returned := false
	defer func() {
		if !returned { // a function has called runtime.Goexit
			q.done.Go(q.run)
		}
	}()
	for f := q.next(); f != nil; f = q.next() {
		f()
	}
	returned = true
}

func (q *serial) next() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running = false
		return nil
	}
	f := q.waiting[0]
	q.waiting = q.waiting[1:]
	return f
}

// wait returns when everything that was added has run.
func (q *serial) wait() { q.done.Wait() }
