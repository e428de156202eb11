package knownbugs

// A relapse puts a known bug back into the code.
type relapse struct {
	number  int // of the bug
	changes []change
}

// A change is one of a file's text.
type change struct {
	file    string
	code    string // is there once
	instead string // takes its place
}

// relapses has one for each bug.
var relapses = []relapse{
	// Numbers, order and names.
	{1, []change{{"internal/queue/name.go", `sequence < 0 || sequence > MaxSequence }`, `false }`}}},
	{2, []change{{"internal/queue/name.go", `sequence < 0 || sequence > MaxSequence }`, `sequence > MaxSequence }`}}},
	{3, []change{{"internal/queue/name.go", `n = -n`, `n = +n`}}},
	{4, []change{{"internal/queue/queue.go", `{ return contenders[:own] }`, `{
		return slices.DeleteFunc(slices.Clone(contenders[:own]), func(c Contender) bool { return c.Sequence < 0 })
	}`}}},
	{5, []change{{"internal/queue/queue.go", `if a.Sequence != b.Sequence {`, `if false {`}}},
	{6, []change{{"internal/queue/name.go", `sequence < 0 || sequence > MaxSequence }`, `sequence < 0 }`}}},
	{7, []change{{"internal/queue/queue.go", `&& mayContend(name)`, ``}}},
	{8, []change{{"internal/queue/name.go", `strings.HasPrefix(name, protection+guid+"-")`,
		`strings.HasPrefix(name, protection) && name[len(protection):len(protection)+len(guid)+1] == guid+"-"`}}},
	{9, []change{{"internal/queue/name.go", `maxGUID = 36`, `maxGUID = 35`}}},

	// Creating, orphans, and whose znode it is.
	{10, []change{{"enqueue.go", `default:
		a.creating = nil
		return a.recover(ctx)`, `default:
		a.creating = nil
		return errLostCreate`}}},
	{11, []change{{"acquire.go", `a.withdraw(waiting, err)`, ``}}},
	{12, []change{{"enqueue.go", `if stat.EphemeralOwner != a.grant.id {`, `if false {`}}},
	{13, []change{{"internal/queue/queue.go", `return slices.IndexFunc(contenders, func(c Contender) bool { return c.Name == name })`,
		`return max(0, slices.IndexFunc(contenders, func(c Contender) bool { return c.Name == name }))`}}},
	{14, []change{
		{"wait.go", `if w.position < 0 {`, `if false {`},
		{"internal/queue/turn.go", `if position < 0 {`, `if false {`},
	}},
	{15, []change{{"enqueue.go", `return childOf(dir, found[i]), nil`, `return found[i], nil`}}},
	{16, []change{{"enqueue.go", `missing < maxAttempts:`, `missing < 1:`}}},
	{17, []change{{"acquire.go", `!errors.Is(why, ErrHeld) || a.removePlaces(ctx) != nil`, `!errors.Is(why, ErrHeld)`}}},
	{18, []change{{"acquire.go", `a.withdraw(waiting, err)`, `if failed := a.removePlaces(waiting); failed != nil {
			err = failed
		}`}}},
	{19, []change{{"enqueue.go", `if !answered(err) {`, `if err != nil {`}}},

	// Waiting and watches.
	{20, []change{{"watches.go", `direct.Begin(protocol.OpGetData).Text(w.node).Bool(true)`, `direct.Begin(protocol.OpExists).Text(w.node).Bool(true)`}}},
	{21, []change{{"wait.go", `w.turn.Gone(path.Base(missed.node))`, `complete = err == nil`}}},
	{22, []change{{"acquire.go", `for range maxAttempts {`, `for {`}}},
	{23, []change{{"internal/queue/turn.go", `for i := len(t.nearest) - 1; i >= 0 && len(names) < t.mostWatches(); i-- {`,
		`for i := 0; i < len(t.nearest) && len(names) < t.mostWatches(); i++ {`}}},
	{24, []change{{"watches.go", `if shared = s.set[w]; shared == nil {`, `if true {`}}},
	{25, []change{{"wait.go", `case <-w.resumed:
	case <-ctx.Done():`, `case <-ctx.Done():`}}},
	{26, []change{{"semaphore.go", `case <-w.resumed:
	case <-ctx.Done():`, `case <-ctx.Done():`}}},
	{27, []change{{"state.go", `s.hooks.add(func() { s.config.hook(info) })`, `s.config.hook(info)`}}},
	{28, []change{{"wait.go", `w.waited = true`, `w.waited = true
	ctx, cancel := context.WithTimeout(w.grant.ctx, 200e6)
	defer cancel()`}}},
	{29, []change{{"state.go", `context.WithCancel(g.ctx)`, `context.WithCancel(context.Background())`}}},
	{30, []change{{"lease.go", `if l.grant.ctx.Err() != nil {`, `if false {`}}},

	// Holding and releasing.
	{31, []change{{"state.go", `l.lose(cause)`, `_ = l`}}},
	{32, []change{{"internal/sessionclock/clock.go", `if c.ended || !c.overdue(now) {`, `if true {`}}},
	{33, []change{{"state.go", `s.grant = newGrant(s.clock.ID())`, `s.grant.id = s.clock.ID()`}}},
	{34, []change{{"unlock.go", `left = append(left, l.orphan(l.places[i], i))`, `_ = i`}}},
	{35, []change{{"internal/queue/name.go", `strings.HasPrefix(name, protection+guid+"-")`, `strings.HasPrefix(name, protection)`}}},
	{36, []change{{"unlock.go", `if !l.unlocking {`, `if true {`}}},
	{37, []change{{"reentrant.go", `m.owner == o && !m.left })`, `m.owner == o })`}}},
	{38, []change{{"reentrant.go", `return nil, ErrNoOwner`, `return new(owner), nil`}}},
	{39, []change{{"reentrant.go", `if h == nil {`, `if false {`}}},
	{40, []change{{"session.go", `g = s.grant`, `if g == nil {
			early := *s.grant
			g = &early
		}`}}},

	// Readers and writers, semaphores, several locks, revocation.
	{41, []change{
		{"internal/queue/queue.go", `slices.Clone(contenders[:own])`, `slices.Clone(contenders)`},
		{"wait.go", `w.take(got, err, w.place.sequence)`, `w.take(got, err, 1<<31-1)`},
	}},
	{42, []change{{"internal/queue/queue.go", `everybody, Contender.Reads}`, `everybody, always}`}}},
	{43, []change{{"acquire.go", `if a.upgrades(ctx) {`, `if false {`}}},
	{44, []change{{"lease.go", `if l.grant.ctx.Err() != nil {`, `if false {`}}},
	{45, []change{{"internal/queue/queue.go", `slices.Clone(contenders[:own])`, `slices.Clone(contenders[:min(1, own)])`}}},
	{46, []change{{"acquire.go", `a.withdraw(waiting, err)`, ``}}},
	{47, []change{{"internal/queue/permit.go", `p.seen.Ahead < p.limit.Max:`, `p.seen.Ahead <= p.limit.Max:`}}},
	{48, []change{{"internal/queue/limit.go", `if !expected {`, `if !expected && false {`}}},
	{49, []change{{"semaphore.go", `&zk.CreateRequest{Path: child, Acl: s.config.acl},
		&zk.DeleteRequest{Path: child, Version: -1}))`, `&zk.CheckVersionRequest{Path: child[:len(s.path)], Version: -1}))`}}},
	{50, []change{{"internal/queue/permit.go", `case p.first || p.decided() && p.seen.Ahead == p.limit.Max:`, `case false:`}}},
	{51, []change{{"wait.go", `return a.blame(w.place, err)`, `a.blame(w.place, err)`}}},
	{52, []change{{"watches.go", `if err == nil && string(got.data) == RevokeMessage {`, `if false {`}}},
	{53, []change{{"internal/queue/queue.go", `writers, always}`, `writers, Contender.Reads}`}}},
	{54, []change{{"unlock.go", `return l.fail("unlock", cause)`, `return nil`}}},
	{55, []change{{"internal/queue/turn.go", `LookAhead: true, OneTransaction: true}`, `ListAlways: true, Herd: true}`}}},
	{56, []change{{"internal/sessionclock/clock.go", `return c.led.Add(c.timeout)`, `return c.acked.Add(c.timeout)`}}},
}
