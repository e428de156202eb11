package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/wire"
)

var (
	// ErrNotRegistered is returned when ZooKeeper did not take the registration.
	ErrNotRegistered = errors.New("ZooKeeper did not register this playground")
	// ErrAway is returned by Close when ZooKeeper has gone.
	ErrAway = errors.New("ZooKeeper has gone")
)

const (
	// callTimeout bounds a connection with its registration, and what is done there.
	callTimeout = 5 * time.Second
	// retryPause is between two attempts to connect.
	retryPause = 100 * time.Millisecond
	// undoTimeout bounds the end of a start that failed.
	undoTimeout = time.Second
)

// A Config is what a [Sweeper] needs. Fields at zero get the defaults given.
type Config struct {
	ZooKeeper wire.Ensemble
	// Base is run.Config's.
	Base string
	// Name is the playground's: the ids of its runs are NAME or NAME-NUMBER.
	Name string
	// InUse says of a run of this playground whether it has znodes that it needs. It
	// must say so before the run makes the first.
	InUse func(room, run string) bool
	// Session is the timeout of the registration: when a playground was killed, the
	// others know after that. Default 10 s.
	Session time.Duration
	// Grace is how long a subtree must have been unused before it is removed;
	// default 5 s.
	Grace time.Duration
	// Every is the time between two looks when no playground comes or goes; default
	// 20 s.
	Every time.Duration
	// Now is the clock.
	Now func() time.Time
	// Log gets what was removed, and what could not be; it may be nil.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Session == 0 {
		c.Session = 10 * time.Second
	}
	if c.Grace == 0 {
		c.Grace = 5 * time.Second
	}
	if c.Every == 0 {
		c.Every = 20 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// A Sweeper keeps a playground registered, and removes what no playground uses any more.
type Sweeper struct {
	config  Config
	grace   *grace
	changed chan struct{} // has a token when a playground has come or gone

	end     context.CancelFunc
	running sync.WaitGroup

	// Only one goroutine at a time uses the client: the sweeper's own, then Close.
	client *wire.Client // nil before the first connection
}

// Start registers the playground, which is to begin no run before that, and sweeps
// from then on until Close. Ctx bounds only the start, which takes as many connections
// as it needs. An error wraps ErrNotRegistered, and then nothing is left of the attempt.
func Start(ctx context.Context, config Config) (*Sweeper, error) {
	config = config.withDefaults()
	s := &Sweeper{config: config, grace: newGrace(config.Grace), changed: make(chan struct{}, 1)}
	for {
		err := s.connect(ctx)
		if err == nil {
			break
		}
		if refusal := wire.OK; errors.As(err, &refusal) || !clock.Sleep(ctx, retryPause) {
			return nil, fmt.Errorf("%w: %w", ErrNotRegistered, errors.Join(err, s.abandon(ctx)))
		}
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	s.end = end
	s.running.Go(func() { s.run(life) })
	return s, nil
}

// abandon removes what a start that failed may have made.
func (s *Sweeper) abandon(ctx context.Context) error {
	if s.client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	if err := s.dial(ctx); err != nil {
		return err
	}
	return s.leave(ctx)
}

// Close removes what this playground has on ZooKeeper, its registration last. All its
// runs must have ended. ErrAway means that there was no connection as long as ctx allowed:
// then the registration ends with its session, and another playground removes the rest.
func (s *Sweeper) Close(ctx context.Context) error {
	s.end()
	s.running.Wait()
	if s.client.Err() != nil {
		if err := s.dial(ctx); err != nil {
			return fmt.Errorf("%w: %w", ErrAway, err)
		}
	}
	if err := s.leave(ctx); err != nil {
		return fmt.Errorf("end the registration: %w", err)
	}
	return nil
}

// run sweeps, over as many connections as that takes.
func (s *Sweeper) run(ctx context.Context) {
	for ctx.Err() == nil {
		s.follow(ctx)
		for ctx.Err() == nil && s.client.Err() != nil {
			if s.connect(ctx) != nil {
				clock.Sleep(ctx, retryPause)
			}
		}
	}
}

// follow sweeps as long as the connection lasts.
func (s *Sweeper) follow(ctx context.Context) {
	for {
		next, err := s.look(ctx)
		if err != nil && ctx.Err() == nil && s.client.Err() == nil {
			s.config.Log.Warn("znodes of playgrounds that are gone could not be removed", "error", err)
		}
		timer := time.NewTimer(next)
		select {
		case <-s.changed:
		case <-timer.C:
		case <-s.client.Done():
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil || s.client.Err() != nil {
			return
		}
	}
}

// connect registers on a new connection, in a session of its own.
func (s *Sweeper) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := s.dial(ctx); err != nil {
		return err
	}
	err := s.client.AddWatch(ctx, s.registrations(), false)
	if err == nil {
		err = s.register(ctx)
	}
	if err != nil {
		s.client.Close()
	}
	return err
}

// dial puts a new client in the place of the one before.
func (s *Sweeper) dial(ctx context.Context) error {
	if s.client != nil {
		s.client.Close()
	}
	if err := s.config.ZooKeeper.AwaitReady(ctx); err != nil {
		return err
	}
	client, err := s.config.ZooKeeper.Dial(ctx, wire.Options{Timeout: s.config.Session, OnEvent: s.onEvent})
	if err == nil {
		s.client = client
	}
	return err
}

func (s *Sweeper) onEvent(wire.WatchEvent) {
	select {
	case s.changed <- struct{}{}:
	default: // there will be a look in any case
	}
}

// registrations is the znode above those of the playgrounds.
func (s *Sweeper) registrations() string { return path.Join(s.config.Base, "playgrounds") }

func (s *Sweeper) registration() string { return path.Join(s.registrations(), s.config.Name) }

// register makes the registration. One that is there already was made in a session
// that this playground had before, and would end with that: so it is made anew. The
// grace of the other playgrounds is longer than that takes.
func (s *Sweeper) register(ctx context.Context) error {
	for {
		err := s.client.CreateEphemeral(ctx, s.registration())
		switch {
		case errors.Is(err, wire.NoNode):
			err = s.client.CreateAll(ctx, s.registrations())
		case errors.Is(err, wire.NodeExists):
			err = s.client.Delete(ctx, s.registration())
		default:
			return err
		}
		if err != nil && !errors.Is(err, wire.NoNode) {
			return err
		}
	}
}

// leave removes all that the playground has on ZooKeeper, and ends the session.
func (s *Sweeper) leave(ctx context.Context) error {
	own, err := s.ownRuns(ctx)
	if err == nil {
		err = s.remove(ctx, own)
	}
	if gone := s.client.Delete(ctx, s.registration()); !errors.Is(gone, wire.NoNode) {
		err = errors.Join(err, gone)
	}
	return errors.Join(err, s.client.DeleteEmpty(ctx, s.registrations(), s.config.Base), s.client.CloseSession(ctx))
}
