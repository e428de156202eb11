package zklock

import "sync"

// maxRest bounds the occasions between two failures.
const maxRest = 1 << 8

// A trial is of something that saves requests when it works, and costs some
// when it does not: after it has failed again it is left out for a while. Its
// methods may be called from any goroutine.
type trial struct {
	mu    sync.Mutex
	wrong int // failures in a row
	rest  int // occasions to go by before the next
}

// due reports whether to try, and counts the occasion.
func (t *trial) due() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rest > 0 {
		t.rest--
		return false
	}
	return true
}

// judge takes in whether it has worked.
func (t *trial) judge(right bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if right {
		t.wrong = 0
		return
	}
	t.rest = min(1<<t.wrong, maxRest+1) - 1
	t.wrong = min(t.wrong+1, 30)
}
