package queue

import "testing"

// A place is told the limit, a listing and what is ahead of it, and does one thing
// after the other.
func TestPermit(t *testing.T) {
	two, three := Limit{Max: 2, At: 4}, Limit{Max: 3, At: 6}
	listed := func(ahead int) Moment { return Moment{Ahead: ahead, LimitAt: 4} }
	for name, c := range map[string]struct {
		told   func(*Permit)
		want   Step
		excess int
	}{
		"knows nothing":                {func(*Permit) {}, ListQueue, 0},
		"knows the limit":              {func(p *Permit) { p.Limited(two) }, ListQueue, 0},
		"knows no limit":               {func(p *Permit) { p.Listed(listed(0), false) }, ReadLimit, 0},
		"holds":                        {func(p *Permit) { p.Limited(two); p.Listed(listed(1), false) }, Hold, 0},
		"is the first waiter":          {func(p *Permit) { p.Limited(two); p.Listed(listed(2), false) }, WatchQueue, 1},
		"is the first, and watches":    {func(p *Permit) { p.Limited(two); p.Listed(listed(2), true) }, Sleep, 1},
		"is the second waiter":         {func(p *Permit) { p.Limited(two); p.Listed(listed(3), false) }, WatchAhead, 2},
		"the limit was raised":         {func(p *Permit) { p.Limited(two); p.Listed(Moment{Ahead: 2, LimitAt: 6}, true) }, ReadLimit, 0},
		"the raised limit is enough":   {func(p *Permit) { p.Listed(Moment{Ahead: 2, LimitAt: 6}, true); p.Limited(three) }, Hold, 0},
		"the listing is the older one": {func(p *Permit) { p.Limited(three); p.Listed(listed(2), false) }, ListQueue, 0},
		"behind a waiter": {func(p *Permit) {
			p.Limited(two)
			p.Listed(listed(3), false)
			p.BehindWaiter(false, 5)
		}, Sleep, 2},
		"behind one that holds": {func(p *Permit) {
			p.Limited(two)
			p.Listed(listed(3), false)
			p.BehindWaiter(true, 5)
		}, WatchQueue, 0},
		"behind one older than the limit": {func(p *Permit) {
			p.Limited(two)
			p.Listed(listed(3), false)
			p.BehindWaiter(false, 3)
		}, WatchQueue, 0},
		"woken": {func(p *Permit) { p.Limited(two); p.Listed(listed(3), false); p.BehindWaiter(false, 5); p.Doubt() }, ListQueue, 0},
	} {
		var p Permit
		if c.told(&p); p.Next() != c.want || p.Excess() != c.excess {
			t.Errorf("%s: step %d, excess %d; want %d, %d", name, p.Next(), p.Excess(), c.want, c.excess)
		}
	}
}

// A holder whom nobody is behind need not write.
func TestPermitMustTell(t *testing.T) {
	for behind, want := range map[int]bool{0: false, 1: true} {
		var p Permit
		p.Listed(Moment{Ahead: 1, Behind: behind}, false)
		if p.MustTell() != want {
			t.Errorf("%d behind: must tell %v", behind, p.MustTell())
		}
	}
}
