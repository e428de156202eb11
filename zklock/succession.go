package zklock

import "github.com/zkplayground/zkplayground/zklock/internal/mechanism"

// Where nobody else wants a lock, its places follow each other: each gets the
// number just after that of the place before. The server counts every child
// that is made in the directory, so nobody has come in between; and when the
// place before held the lock, nobody who had come earlier was left. So the
// place is the first, and neither a listing nor the directory's metadata need
// say so.

// goesByNumber reports whether a new place is to find out by its number alone
// that nobody is ahead. That is cheaper than to count the children, but when it
// fails the queue is listed.
func (a *acquisition) goesByNumber(before former) bool {
	return !a.config.without.Has(mechanism.Number) && before.known && a.steady && !a.config.textbook &&
		a.session.directories.calm(a.path) && a.session.mayShow(before) && a.habit.successions.due()
}

// mayShow reports whether the next number can show anything, as far as the
// session knows how many transactions there have been: those that deleted the
// place before, and that will make the next, at least.
func (s *Session) mayShow(before former) bool {
	latest := max(Token(s.lastZxid.Load()), before.token+1)
	return place{before: before, sequence: before.sequence + 1, token: latest + 1}.succeeds()
}

// judgeSuccession takes in whether the number of p shows that it is the first.
func (a *acquisition) judgeSuccession(p *place) {
	if a.byNumber {
		p.alone = p.alone || p.succeeds()
		a.habit.successions.judge(p.alone)
	}
}

// succeeds reports whether nobody has come between the place before and p, for
// all that the number shows.
func (p place) succeeds() bool {
	return p.before.known && p.sequence == p.before.sequence+1 && p.sameDirectory(p.before.token)
}

// outrun reports whether somebody has come between the place before and p, or
// the directory is another.
func (p place) outrun() bool { return p.before.known && p.sequence != p.before.sequence+1 }

// sameDirectory reports whether p is in the directory in which the transaction
// since made a znode, and not in one made anew: there, each number up to the own
// has taken a transaction. A server that is busy with others may pass more.
func (p place) sameDirectory(since Token) bool {
	passed := p.token - since
	return 0 < passed && passed < Token(p.sequence)
}
