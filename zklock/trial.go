package zklock

// maxRest bounds the occasions between two failures.
const maxRest = 1 << 8

// A trial is of something that saves requests when it works, and costs some
// when it does not: after it has failed again it is left out for a while.
type trial struct {
	wrong int // failures in a row
	rest  int // occasions to go by before the next
}

func (t *trial) due() bool {
	if t.rest > 0 {
		t.rest--
		return false
	}
	return true
}

func (t *trial) judge(right bool) {
	if right {
		t.wrong = 0
		return
	}
	t.rest = min(1<<t.wrong, maxRest+1) - 1
	t.wrong = min(t.wrong+1, 30)
}
