package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/run"
)

const (
	// atOnce is how many runs are recorded at the same time: they mostly wait.
	atOnce = 10
	// attempts is how often a run is recorded until it goes as its scenario is made to:
	// where the machine stands still, a fault may come when nobody holds, or a session
	// may end that should not.
	attempts = 3
	// patience is how much longer a run may take until its verdicts are what is expected.
	patience = 20 * time.Second
	// quiet is for how long nothing happens in a run that is over.
	quiet = 4 * time.Second
	// look is the time between two looks at a run.
	look = 100 * time.Millisecond
)

// A recorder records runs into a directory.
type recorder struct {
	config   Config
	folder   *folder
	sessions *chroot.Sessions
	started  atomic.Int64 // runs so far, for their names
	done     atomic.Int64
	all      int
}

// record records the runs: those that break no server at the same time, and then the
// others, each on servers of its own.
func (r *recorder) record(ctx context.Context, runs []Run) error {
	r.all = len(runs)
	shared, recording := errgroup.WithContext(ctx)
	shared.SetLimit(atOnce)
	for _, one := range runs {
		if one.nodes(r.config.Catalogue) == 0 {
			shared.Go(func() error { return r.one(recording, one, r.config.Servers) })
		}
	}
	if err := shared.Wait(); err != nil {
		return err
	}
	for _, one := range runs {
		if nodes := one.nodes(r.config.Catalogue); nodes > 0 {
			err := r.config.OnOwn(ctx, nodes, func(servers Servers) error { return r.one(ctx, one, servers) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// one records a run, if need be more than once.
func (r *recorder) one(ctx context.Context, one Run, servers Servers) error {
	var events int64
	var err error
	for range attempts {
		events, err = r.attempt(ctx, one, servers)
		if !errors.Is(err, errWentWrong) || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", one.Name, err)
	}
	r.config.Progress(fmt.Sprintf("recorded %d of %d: %s, %d events", r.done.Add(1), r.all, one.Name, events))
	return nil
}

// errWentWrong: a run did not show what it is to show.
var errWentWrong = errors.New("the run did not go as it is made to")

// attempt records a run once, and says how many events that are.
func (r *recorder) attempt(ctx context.Context, one Run, servers Servers) (events int64, err error) {
	started, err := run.Start(ctx, run.Config{Servers: servers.Addresses, ZooKeeper: servers.Describe(), Gate: servers.Gate,
		Cluster: servers.Cluster, Redis: servers.Redis, SuperPassword: servers.SuperPassword, Base: r.config.Base, Room: "site",
		ID: fmt.Sprintf("%s-%d", servers.RunPrefix, r.started.Add(1)), Scenario: one.Scenario})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, started.Close()) }()
	servers.Began(started)
	err = r.follow(ctx, one, started)
	started.Stop()
	if err := errors.Join(err, started.Wait(context.WithoutCancel(ctx)), ctx.Err()); err != nil {
		return 0, err
	}
	if err := judge(one, started); err != nil {
		return 0, err
	}
	var recording bytes.Buffer
	err = event.WriteRecording(&recording, started.Describe(), started.Log())
	return started.Log().Len(), errors.Join(err, r.folder.write(RecordingPath(one.Name), recording.Bytes()))
}

// follow returns when there is enough of a run.
func (r *recorder) follow(ctx context.Context, one Run, started *run.Run) error {
	for _, lane := range started.Describe().Lanes {
		if lane.Missing != "" {
			return fmt.Errorf("lane %s: %s", lane.Name, lane.Missing)
		}
	}
	if one.Check != nil {
		return r.solve(ctx, one, started)
	}
	looking := time.NewTicker(look)
	defer looking.Stop()
	last := lastEvent{log: started.Log()}
	for {
		select {
		case <-looking.C:
		case <-started.Done():
			return fmt.Errorf("%w: it ended early", errWentWrong)
		case <-ctx.Done():
			return ctx.Err()
		}
		now := started.Log().Now()
		at, err := last.visible()
		if err != nil {
			return err
		}
		over := one.ends() && now > one.lastFault() && now-at > quiet
		if (over || now > one.length()) && len(started.Summary().Unmet()) == 0 || now > one.length()+patience {
			return nil
		}
	}
}

// A lastEvent finds the newest event that a picture of the run shows.
type lastEvent struct {
	log  *event.Log
	read int64
	at   time.Duration
}

// visible is when that was.
func (l *lastEvent) visible() (time.Duration, error) {
	for {
		events, err := l.log.Read(l.read+1, 1<<10)
		if err != nil || len(events) == 0 {
			return l.at, err
		}
		for _, e := range events {
			if e.Op != "ping" && e.Kind != event.TreeSynced {
				l.at = time.Duration(e.At) * time.Microsecond
			}
		}
		l.read += int64(len(events))
	}
}

// judge says what a run that is over lacks.
func judge(one Run, over *run.Run) error {
	summary := over.Summary()
	for _, v := range append(summary.Unexpected(), summary.Unmet()...) {
		return fmt.Errorf("%w: %s in lane %s is %s: %s", errWentWrong, v.Check, v.Lane, v.Verdict.Verdict, v.Why)
	}
	if one.Check == nil {
		return nil
	}
	verdict, err := judged(*one.Check, over)
	if err == nil && verdict.State != goal.Met {
		err = fmt.Errorf("%w: the commands of its tasks do not meet the goal, step %d is missing", errWentWrong, verdict.Step+1)
	}
	return err
}
