package zklock

// tell calls the hook that pick chooses of each trace, where there is one.
func tell[Info any](ts traces, pick func(*Trace) func(Info), info Info) {
	for _, t := range ts {
		if hook := pick(t); hook != nil {
			hook(info)
		}
	}
}

func (ts traces) enqueueStart(info EnqueueStartInfo) {
	tell(ts, func(t *Trace) func(EnqueueStartInfo) { return t.EnqueueStart }, info)
}

func (ts traces) enqueued(info EnqueuedInfo) {
	info.Err = reported(info.Err)
	tell(ts, func(t *Trace) func(EnqueuedInfo) { return t.Enqueued }, info)
}

func (ts traces) listed(info ListedInfo) {
	tell(ts, func(t *Trace) func(ListedInfo) { return t.Listed }, info)
}

func (ts traces) waitStart(info WaitStartInfo) {
	tell(ts, func(t *Trace) func(WaitStartInfo) { return t.WaitStart }, info)
}

func (ts traces) waitDone(info WaitDoneInfo) {
	info.Err = reported(info.Err)
	tell(ts, func(t *Trace) func(WaitDoneInfo) { return t.WaitDone }, info)
}

func (ts traces) acquired(info AcquiredInfo) {
	tell(ts, func(t *Trace) func(AcquiredInfo) { return t.Acquired }, info)
}

func (ts traces) gaveUp(info GaveUpInfo) {
	info.Err = reported(info.Err)
	tell(ts, func(t *Trace) func(GaveUpInfo) { return t.GaveUp }, info)
}

func (ts traces) releaseStart(info ReleaseStartInfo) {
	tell(ts, func(t *Trace) func(ReleaseStartInfo) { return t.ReleaseStart }, info)
}

func (ts traces) released(info ReleasedInfo) {
	tell(ts, func(t *Trace) func(ReleasedInfo) { return t.Released }, info)
}

func (ts traces) lost(info LostInfo) {
	tell(ts, func(t *Trace) func(LostInfo) { return t.Lost }, info)
}

func (ts traces) orphanQueued(info OrphanInfo) {
	tell(ts, func(t *Trace) func(OrphanInfo) { return t.OrphanQueued }, info)
}

func (ts traces) orphanDone(info OrphanInfo) {
	tell(ts, func(t *Trace) func(OrphanInfo) { return t.OrphanDone }, info)
}

func (ts traces) lookedAhead(info LookedAheadInfo) {
	tell(ts, func(t *Trace) func(LookedAheadInfo) { return t.LookedAhead }, info)
}

func (ts traces) revokeAsked(info RevokeAskedInfo) {
	tell(ts, func(t *Trace) func(RevokeAskedInfo) { return t.RevokeAsked }, info)
}
