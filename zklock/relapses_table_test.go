package zklock_test

// A relapse puts a known bug back into the code.
type relapse struct {
	number int // of the bug
	change
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
	{1, change{"reset.go", `sequence < 0 || sequence > maxSequence }`, `false }`}},
	{2, change{"reset.go", `sequence < 0 || sequence > maxSequence }`, `sequence > maxSequence }`}},
	{3, change{"names.go", `n = -n`, `n = +n`}},
	{4, change{"kind.go", `{ return queue[:own] }`, `{
		return slices.DeleteFunc(slices.Clone(queue[:own]), func(c contender) bool { return c.sequence < 0 })
	}`}},
	{5, change{"kind.go", `if a.sequence != b.sequence {`, `if false {`}},
	{6, change{"reset.go", `sequence < 0 || sequence > maxSequence }`, `sequence < 0 }`}},
	{7, change{"kind.go", `ok := parseName(name, markers); ok && sequence <= last`, `_ := parseName(name, markers); sequence <= last`}},
	{8, change{"names.go", `guid, _, _ := strings.Cut(rest, "-")`, `guid := rest[:minGUID]`}},
	{9, change{"names.go", `maxGUID = 36`, `maxGUID = 35`}},

	// Creating, orphans, and whose znode it is.
	{10, change{"create.go", `return a.recover(ctx, p)`, `return place{}, nil, errLostCreate`}},
	{11, change{"acquire.go", `a.withdraw(waiting, p, err)`, ``}},
	{12, change{"enqueue.go", `if stat.EphemeralOwner != a.grant.id {`, `if false {`}},
	{13, change{"turn.go", `if t.position < 0 {
		return false`, `if t.position < 0 {
		t.position = 0`}},
	{14, change{"turn.go", `if t.position < 0 {
		return false`, `if false {
		return false`}},
	{15, change{"create.go", `return childOf(dir, name), nil`, `return name, nil`}},
	{16, change{"enqueue.go", `missing < maxAttempts:`, `missing < 1:`}},
	{17, change{"acquire.go", `errors.Is(why, ErrHeld) && a.session.remove(ctx, p.node, false) == nil`, `errors.Is(why, ErrHeld)`}},
	{18, change{"acquire.go", `a.withdraw(waiting, p, err)`, `if failed := a.session.remove(waiting, p.node, false); failed != nil {
			err = failed
		}`}},
	{19, change{"create.go", `if !answered(err) {`, `if err != nil {`}},

	// Waiting and watches.
	{20, change{"requests.go", `newFrame(opGetData, node).bool(true)`, `newFrame(opExists, node).bool(true)`}},
	{21, change{"watch.go", `v.turn.gone(r.name)
			complete = false`, `v.watched = append(v.watched, watch{r.name, r.node, nil})`}},
	{22, change{"acquire.go", `for range maxAttempts {`, `for {`}},
	{23, change{"turn.go", `return []string{t.ahead[last].name, t.ahead[last-1].name}`, `return []string{t.ahead[0].name, t.ahead[1].name}`}},
	{24, change{"spares.go", `if last.connection == connection && last.good() {`, `if false {`}},
	{25, change{"wait.go", `case <-v.resumed:
		return true`, `case <-v.resumed:
		return false`}},
	{26, change{"permitwait.go", `case <-w.resumed: // seen by reconnected`, ``}},
	{27, change{"transitions.go", `s.hooks.add(func() { s.config.hook(info) })`, `s.config.hook(info)`}},
	{28, change{"herd.go", `a *acquisition, p place) error {
	for {`, `a *acquisition, p place) error {
	for {
		ctx, cancel := context.WithTimeout(a.grant.ctx, 200e6)
		defer cancel()`}},
	{29, change{"span.go", `context.WithCancelCause(s.grant.ctx)`, `context.WithCancelCause(context.Background())`}},
	{30, change{"lease.go", `if !g.live() {`, `if false {`}},

	// Holding and releasing.
	{31, change{"transitions.go", `l.lose(cause)`, `_ = l`}},
	{32, change{"transitions.go", `if s.grant.live() && s.grant.overdue(now) {`, `if false {`}},
	{33, change{"transitions.go", `s.grant = newGrant(id)`, `s.grant.id = id`}},
	{34, change{"unlock.go", `l.session.adopt(l.orphan())`, ``}},
	{35, change{"create.go", `strings.HasPrefix(name, protection+guid+"-")`, `strings.HasPrefix(name, protection)`}},
	{36, change{"unlock.go", `if !l.unlocking {`, `if true {`}},
	{37, change{"localqueue.go", `s.owner == o && !s.leaving })`, `s.owner == o })`}},
	{38, change{"owner.go", `return nil, ErrNoOwner`, `return new(owner), nil`}},
	{39, change{"reentrant.go", `if h == nil {`, `if false {`}},
	{40, change{"await.go", `g = s.grant`, `if g == nil {
			early := *s.grant
			g = &early
		}`}},

	// Readers and writers, semaphores, several locks, revocation.
	{41, change{"kind.go", `slices.DeleteFunc(slices.Clone(queue[:own]), isReader)`, `slices.DeleteFunc(slices.Clone(queue), isReader)`}},
	{42, change{"kind.go", `blockers: everybody, final: isReader,`, `blockers: everybody, final: always,`}},
	{43, change{"acquire.go", `if a.upgrades(ctx) {`, `if false {`}},
	{44, change{"lease.go", `if !g.live() {`, `if false {`}},
	{45, change{"kind.go", `slices.DeleteFunc(slices.Clone(queue[:own]), isReader)`, `slices.DeleteFunc(slices.Clone(queue[:min(1, own)]), isReader)`}},
	{46, change{"acquire.go", `a.withdraw(waiting, p, err)`, ``}},
	{47, change{"permit.go", `p.seen.position < p.limit.max:`, `p.seen.position <= p.limit.max:`}},
	{48, change{"limit.go", `if stored != a.limit.max && stat.Czxid != a.directory {`, `if false {`}},
	{49, change{"resize.go", `&zk.CreateRequest{Path: bell, Acl: s.config.acl},
			&zk.DeleteRequest{Path: bell, Version: -1},`, `&zk.CheckVersionRequest{Path: path.Dir(bell), Version: -1},`}},
	{50, change{"permit.go", `case p.head || p.decided() && p.seen.position == p.limit.max:`, `case false:`}},
	{51, change{"multiawait.go", `return a.blame(p, err)
		}
	}
	return a.confirm(ctx)`, `a.blame(p, err)
		}
	}
	return a.confirm(ctx)`}},
	{52, change{"ownwatch.go", `if string(got.data) == RevokeMessage {`, `if false {`}},
	{53, change{"kind.go", `blockers: writers, final: always,`, `blockers: writers, final: isReader,`}},
	{54, change{"unlock.go", `return l.fail("unlock", cause)`, `return nil`}},
	{55, change{"kind.go", `final: always, steady: true,`, `final: always, steady: true, wait: awaitHerd,`}},
}
