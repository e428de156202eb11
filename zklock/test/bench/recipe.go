package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

var (
	// errOver: a floor's contender waits for a turn that will not come, because
	// the trial is over.
	errOver = errors.New("the trial is over")
	// errExhausted: a contender has had all the turns that were laid ahead.
	errExhausted = errors.New("all turns laid ahead are used up")
)

// A contender is one session's part in a trial. Its methods are called from
// one goroutine, in turn, except for close.
type contender interface {
	// acquire waits for the contender's turn. A contender of a floor returns
	// errOver when the trial is over first.
	acquire(ctx context.Context) error
	// release ends the turn.
	release(ctx context.Context) error
	// close ends the session, and whatever waits in it. It is called once.
	close() error
}

// A recipe is a way of taking turns.
type recipe struct {
	name  string
	fixed bool // the order of the contenders is, so that none can come later
	// open connects the contenders of a trial. The trial has not begun before
	// it returns, so that what it does costs nothing.
	open func(ctx context.Context, a trialConfig) ([]contender, error)
}

// An trialConfig is where a trial takes place.
type trialConfig struct {
	address    string // of the server, host:port
	path       string // a znode of the trial's own, which exists
	contenders int
	hold       time.Duration
	length     time.Duration   // of the trial, warm-up included, its stands and cycles not
	cycles     int             // before its slices
	over       <-chan struct{} // closed when the trial is over
}

// The names of the recipes.
const (
	chainName     = "chain"
	ringName      = "ring"
	mutexName     = "mutex"
	goZooKeeper   = "go-zookeeper"
	herdMutexName = "herd"
)

// recipes returns all that can be measured, floors first.
func recipes() []recipe {
	return []recipe{
		{chainName, true, openChain},
		{ringName, true, openRing},
		{mutexName, false, openMutex},
		{goZooKeeper, false, openGoZooKeeper},
		{herdMutexName, false, openHerd},
	}
}

// variants returns mutexes that do without something, to measure what it is worth.
func variants() []recipe {
	noLookAhead, noTransaction := queue.Default, queue.Default
	noLookAhead.LookAhead, noTransaction.OneTransaction = false, false
	return []recipe{
		{mutexName + "-look-ahead", false, openMutexWith(zklock.WithRecipe(noLookAhead))},
		{mutexName + "-one-transaction", false, openMutexWith(zklock.WithRecipe(noTransaction))},
		{mutexName + "-own-watch", false, openMutexWith(zklock.WithOwnWatch(false))},
		{mutexName + "-direct", false, openMutexWith(nil, zklock.WithDirectRequests(false))},
	}
}

func recipeNamed(name string) (recipe, error) {
	for _, r := range slices.Concat(recipes(), variants()) {
		if r.name == name {
			return r, nil
		}
	}
	return recipe{}, fmt.Errorf("no recipe %q, there are %s", name, names(recipes()))
}

func names(list []recipe) string {
	var all []string
	for _, r := range list {
		all = append(all, r.name)
	}
	return strings.Join(all, ",")
}

// lockDirectory is where the locks queue. It is left to them to make it, as a
// user would.
func (a trialConfig) lockDirectory() string { return a.path + "/lock" }

func openMutex(ctx context.Context, a trialConfig) ([]contender, error) {
	return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker { return zklock.NewMutex(s, path) })
}

// openMutexWith opens mutexes with an option of their own, and sessions with others.
func openMutexWith(opt zklock.Option, opts ...zklock.DialOption) func(context.Context, trialConfig) ([]contender, error) {
	return func(ctx context.Context, a trialConfig) ([]contender, error) {
		return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker {
			return zklock.NewMutex(s, path, opt)
		}, opts...)
	}
}

func openHerd(ctx context.Context, a trialConfig) ([]contender, error) {
	return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker { return teach.NewHerdMutex(s, path) })
}

// A locker contends with a lock of zklock.
type locker struct {
	session *zklock.Session
	lock    zklock.Locker
	lease   *zklock.Lease
}

func openLockers(ctx context.Context, a trialConfig, make func(*zklock.Session, string) zklock.Locker, opts ...zklock.DialOption) ([]contender, error) {
	return openAll(ctx, a.contenders, func(ctx context.Context, _ int) (contender, error) {
		session, err := zklock.Dial([]string{a.address}, sessionTimeout, opts...)
		if err != nil {
			return nil, err
		}
		l := &locker{session: session, lock: make(session, a.lockDirectory())}
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return l, session.WaitConnected(ctx)
	})
}

func (l *locker) acquire(ctx context.Context) (err error) {
	l.lease, err = l.lock.Lock(ctx)
	return err
}

// release is not to be cut short, as with any deferred Unlock.
func (l *locker) release(ctx context.Context) error {
	return l.lease.Unlock(context.WithoutCancel(ctx))
}

func (l *locker) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return l.session.Close(ctx)
}

// A libraryLock contends with go-zookeeper's own lock. That knows no context:
// what ends its wait is the end of the connection.
type libraryLock struct {
	connection
	lock *zk.Lock
}

func openGoZooKeeper(ctx context.Context, a trialConfig) ([]contender, error) {
	return openAll(ctx, a.contenders, func(ctx context.Context, _ int) (contender, error) {
		conn, err := connect(ctx, a.address)
		if err != nil {
			return nil, err
		}
		return &libraryLock{conn, zk.NewLock(conn.Conn, a.lockDirectory(), openACL())}, nil
	})
}

func (l *libraryLock) acquire(context.Context) error { return l.lock.Lock() }
func (l *libraryLock) release(context.Context) error { return l.lock.Unlock() }

func openACL() []zk.ACL { return zk.WorldACL(zk.PermAll) }
