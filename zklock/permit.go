package zklock

// A permit works out, from what a waiter of a [Semaphore] is told, when its
// place holds one of the permits, and what it has to ask meanwhile. It is pure:
// it sends nothing, and knows no time.
//
// A place holds when fewer than limit contenders are ahead of it, in a listing
// and under a limit of one and the same moment. Numbers only grow, so those
// ahead only become fewer, and what was true then stays true: there are never
// more holders than the limit allows, however late the news of it is.
//
// Nobody sleeps on when a permit is free, because of whom each one watches:
//
//   - The head, who has nobody but holders ahead, watches the directory. Any
//     of those may be the first to leave.
//   - Everybody else watches the contender just ahead, a waiter as far as can
//     be seen. It wakes its successor when it leaves, and also when it comes
//     to hold: it writes into its own znode, the mark. The successor is then
//     the head.
//
// A holder whose deciding listing shows nobody behind it needs no mark: who
// comes later sees it holding by its position, as long as the limit stays. So
// one without a mark that is older than the limit may be either, and who comes
// behind it takes it for a holder. To be a head in error costs some wake-ups,
// and nothing else.
type permit struct {
	head  bool // nobody but holders is ahead, as far as is known
	limit bound
	seen  moment
	// known says that seen is the newest, and nothing has happened since.
	known bool
	// watched says that what could end the wait has a watch since then.
	watched bool
}

// A bound is a limit as it was stored at a moment.
type bound struct {
	max int
	at  int64 // the transaction that stored it; 0 when it is not known
}

// A moment is a listing as the owner of one place sees it.
type moment struct {
	position int   // contenders ahead
	behind   int   // contenders behind
	at       int64 // the transaction that had stored the limit then
}

// A step is what a waiter has to do next.
type step int

const (
	listQueue  step = iota // list the queue
	watchQueue             // list the queue, and watch it
	readLimit              // read the limit
	watchAhead             // read and watch the znode just ahead
	sleepOn                // wait for the watch
	holdPermit             // nothing any more: the place holds
)

// next returns what to do.
func (p *permit) next() step {
	switch {
	case p.known && p.seen.at > p.limit.at:
		return readLimit
	case p.decided() && p.seen.position < p.limit.max:
		return holdPermit
	case p.decided() && p.watched:
		return sleepOn
	case p.head || p.decided() && p.seen.position == p.limit.max:
		return watchQueue
	case p.decided():
		return watchAhead
	default:
		return listQueue
	}
}

// decided reports whether the listing and the limit are of one moment.
func (p *permit) decided() bool { return p.known && p.seen.at == p.limit.at }

// excess returns how many contenders have to leave before the place holds, 0
// when it holds or that is not known.
func (p *permit) excess() int {
	if !p.decided() {
		return 0
	}
	return max(0, p.seen.position-p.limit.max+1)
}

// crowded reports whether the mark is needed.
func (p *permit) crowded() bool { return p.seen.behind > 0 }

// listed takes in a listing; watched says that it set a watch.
func (p *permit) listed(m moment, watched bool) {
	p.seen, p.known, p.watched = m, true, watched
	p.head = p.head || watched
}

// bounded takes in the limit.
func (p *permit) bounded(b bound) { p.limit = b }

// behindWaiter takes in that the watch on the one ahead is set, and whether
// that one has written its mark, and the transaction that created it.
func (p *permit) behindWaiter(marked bool, created int64) {
	p.watched = true
	if marked || created < p.limit.at {
		p.behindHolder()
	}
}

// behindHolder takes in that the one ahead holds, or may hold.
func (p *permit) behindHolder() {
	p.head = true
	p.doubt()
}

// doubt takes in that something has changed, or may have.
func (p *permit) doubt() { p.known, p.watched = false, false }
