package queue

// A Permit works out, from the events that a waiter of a semaphore gets, when its place
// holds one of the permits, and what it has to ask meanwhile. The zero value is
// that of a place which knows nothing yet.
//
// A place holds when fewer than limit contenders are ahead of it, in a listing
// and under a limit of one and the same moment. Numbers only grow, so those
// ahead only become fewer, and what was true then stays true: there are never
// more holders than the limit allows, however late the news of it is.
//
// Nobody sleeps on when a permit is free, because of whom each one watches:
//
//   - The first waiter, who has nobody but holders ahead, watches the directory.
//     Any of those may be the first to leave.
//   - Everybody else watches the contender just ahead, a waiter as far as can
//     be seen. It wakes its successor when it leaves, and also when it comes
//     to hold: it then writes into its own znode. The successor is now the first
//     waiter.
//
// A holder whose deciding listing shows nobody behind it need not write: who
// comes later sees it holding by its position, as long as the limit stays. So
// one that has not written and is older than the limit may be either, and who
// comes behind it takes it for a holder. To be taken for the first waiter in error
// costs some wake-ups, and nothing else.
type Permit struct {
	first bool // nobody but holders is ahead, as far as is known
	limit Limit
	seen  Moment
	// known says that seen is the newest, and nothing has happened since.
	known bool
	// watched says that what could end the wait has a watch since then.
	watched bool
}

// A Limit is how many permits there are, as it was stored at a moment.
type Limit struct {
	Max int
	At  int64 // the transaction that stored it; 0 when it is not known
}

// A Moment is a listing as the owner of one place sees it.
type Moment struct {
	Ahead   int   // contenders
	Behind  int   // contenders
	LimitAt int64 // the transaction that had stored the limit then
}

// A Step is what a waiter for a permit has to do next.
type Step int

const (
	ListQueue  Step = iota // list the queue
	WatchQueue             // list the queue, and watch it
	ReadLimit              // read the limit
	WatchAhead             // read and watch the znode just ahead
	Sleep                  // wait for the watch
	Hold                   // nothing any more: the place holds
)

// Next returns what to do.
func (p *Permit) Next() Step {
	switch {
	case p.known && p.seen.LimitAt > p.limit.At:
		return ReadLimit
	case p.decided() && p.seen.Ahead < p.limit.Max:
		return Hold
	case p.decided() && p.watched:
		return Sleep
	case p.first || p.decided() && p.seen.Ahead == p.limit.Max:
		return WatchQueue
	case p.decided():
		return WatchAhead
	default:
		return ListQueue
	}
}

// decided reports whether the listing and the limit are of one moment.
func (p *Permit) decided() bool { return p.known && p.seen.LimitAt == p.limit.At }

// Excess returns how many contenders have to leave before the place holds, 0
// when it holds or that is not known.
func (p *Permit) Excess() int {
	if !p.decided() {
		return 0
	}
	return max(0, p.seen.Ahead-p.limit.Max+1)
}

// MustTell reports whether a place that holds has to write into its own znode,
// for those behind it.
func (p *Permit) MustTell() bool { return p.seen.Behind > 0 }

// Listed takes in a listing; watched says that it set a watch.
func (p *Permit) Listed(m Moment, watched bool) {
	p.seen, p.known, p.watched = m, true, watched
	p.first = p.first || watched
}

// Limited takes in the limit.
func (p *Permit) Limited(l Limit) { p.limit = l }

// BehindWaiter takes in that the watch on the one ahead is set, whether that one
// has written into its znode, and the transaction that created it.
func (p *Permit) BehindWaiter(written bool, created int64) {
	p.watched = true
	if written || created < p.limit.At {
		p.BehindHolder()
	}
}

// BehindHolder takes in that the one ahead holds, or may hold.
func (p *Permit) BehindHolder() {
	p.first = true
	p.Doubt()
}

// Doubt takes in that something has changed, or may have.
func (p *Permit) Doubt() { p.known, p.watched = false, false }
