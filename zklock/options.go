package zklock

import (
	"slices"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
)

// defaultBuffer is the size of each of the client's two buffers, in bytes.
const defaultBuffer = 64 << 10

// A DialOption configures [Dial]. Every [SessionOption] is one too. Options of
// all types may be nil, and then change nothing.
type DialOption interface{ applyDial(*dialConfig) }

// A SessionOption configures a [Session], dialed or brought.
type SessionOption func(*sessionConfig)

type sessionConfig struct {
	without   mechanism.Set
	handshake time.Duration
	hook      func(SessionState)
	newGUID   func() string
	receive   int // the client's limit for a frame, in bytes; 0 when not known
	send      int // the same for frames that it sends
}

type dialConfig struct {
	session       sessionConfig
	dialer        zk.Dialer
	logger        zk.Logger
	receive, send int
}

type dialOption func(*dialConfig)

func (o dialOption) applyDial(c *dialConfig) { o(c) }

func (o SessionOption) applyDial(c *dialConfig) {
	if o != nil {
		o(&c.session)
	}
}

// WithSessionHook has hook called at every change of the session's state, in
// order, one at a time, on a goroutine of the session. It may block. That
// delays later hooks, those of traces for Lost and RevokeAsked too, and Close;
// never the detection of a loss, nor the clean-up after it. It must not wait
// for a hook of a [Trace], nor that for it.
func WithSessionHook(hook func(SessionState)) SessionOption {
	return func(c *sessionConfig) { c.hook = hook }
}

// WithHandshakeTimeout bounds the wait for a server's answer to a new
// connection. A server that accepts and stays silent, as one does for a moment
// while it starts, would otherwise hold the client for several session
// timeouts. The default is two thirds of the session timeout, at least 1 s.
func WithHandshakeTimeout(d time.Duration) SessionOption {
	return func(c *sessionConfig) { c.handshake = d }
}

// WithDialer has connections made by dialer instead of [net.DialTimeout], which
// nil stands for.
func WithDialer(dialer zk.Dialer) DialOption {
	return dialOption(func(c *dialConfig) { c.dialer = dialer })
}

// WithLogger has go-zookeeper's complaints written to logger. By default they
// are dropped, as with nil: what matters is in the session hook and in returned
// errors.
func WithLogger(logger zk.Logger) DialOption {
	return dialOption(func(c *dialConfig) { c.logger = logger })
}

// WithBuffers sets the size of the client's buffers in bytes, at least 256; the
// default is 64 KiB each. They are limits: where the listing of a queue is
// larger than receive, Lock returns [ErrTooManyWaiters]. A listing takes about
// 55 bytes a waiter, so 64 KiB is room for 1,100 waiters on one lock. A request
// of a lock that is larger than send may fail with zk.ErrShortBuffer; beside the
// path and the data of [WithData], it takes 2 KiB at most. Your own requests
// through [Session.Client] are bounded too: the connection breaks at a larger
// answer, and go-zookeeper may panic at a larger request.
func WithBuffers(receive, send int) DialOption {
	return dialOption(func(c *dialConfig) { c.receive, c.send = receive, send })
}

// An Option configures a lock. Those that a kind has no use for are ignored.
type Option func(*lockConfig)

type lockConfig struct {
	without    mechanism.Set
	acl        []zk.ACL
	data       []byte
	container  bool
	textbook   bool
	maxWaiters int
	markers    []string // of foreign contenders
	probe      bool
	long       int           // a queue of so many children is marked
	delay      time.Duration // see ownDelay
	heirTime   time.Duration // see there
	breath     time.Duration // see there
	traces     traces
}

// WithACL sets the access control list of the znodes that the lock creates,
// the missing parents included. The default is open to everybody. It must let
// all contenders read each znode, and create and delete in the directory; to be
// asked for by [Revoke], write. Those of a [FlagLock] must be let write its
// znode, and those of a [Semaphore] the directory. Who may not delete cannot
// unlock, see [Lease.Unlock].
func WithACL(acl []zk.ACL) Option {
	return func(c *lockConfig) { c.acl = slices.Clone(acl) }
}

// WithData sets the data of the lock's znodes, for humans who look at the
// queue. The lock itself never reads it. It must fit into the send buffer, see
// [WithBuffers], and must not be [RevokeMessage], which also replaces it.
func WithData(data []byte) Option {
	return func(c *lockConfig) { c.data = slices.Clone(data) }
}

// WithContainer says whether missing parents are created as containers, which
// the server deletes some time after their last child has gone. The default is
// true; servers before 3.5.1 get persistent parents in any case.
func WithContainer(container bool) Option {
	return func(c *lockConfig) { c.container = container }
}

// WithLockTrace has trace called for every acquisition of the lock, before the
// traces of [WithTrace]. A nil trace changes nothing.
func WithLockTrace(trace *Trace) Option {
	return func(c *lockConfig) {
		if trace != nil {
			c.traces = append(c.traces, trace)
		}
	}
}

// WithTextbook has the lock keep to the recipe as ZooKeeper's documentation
// gives it: create, list, watch the one ahead, and list again after each
// wake-up. It takes more round trips than the lock does otherwise, and a lease
// is not told when its znode is deleted or asked for by [Revoke]. The latter is
// all that it does to a [Semaphore].
func WithTextbook() Option {
	return func(c *lockConfig) { c.textbook = true }
}

// WithExtraMarkers makes the lock stand in line behind contenders of other
// libraries too, whose znodes are named by a marker before the number, and
// perhaps a guid before that. kazoo's locks, for one, use "__lock__". They
// count as exclusive, for a [Semaphore] as one permit each, and see this lock
// only if they are told to.
func WithExtraMarkers(markers ...string) Option {
	return func(c *lockConfig) { c.markers = append(c.markers, markers...) }
}

// WithMaxWaiters bounds the queue: Lock returns [ErrTooManyWaiters] when it
// finds more than n contenders that it would have to wait for. 0 or less is no
// bound. A [HerdMutex] has none; each path of a [Multi] is bounded by itself. A
// bound switches off the guess, see the package's documentation.
func WithMaxWaiters(n int) Option {
	return func(c *lockConfig) { c.maxWaiters = n }
}

// WithoutMechanisms switches some of what a lock does off, to measure what it is
// worth.
func WithoutMechanisms(set mechanism.Set) Option {
	return func(c *lockConfig) { c.without = set }
}

// WithoutSessionMechanisms does the same for a session.
func WithoutSessionMechanisms(set mechanism.Set) SessionOption {
	return func(c *sessionConfig) { c.without = set }
}

// WithProbe has TryLock list the queue before it joins it, and return
// [ErrHeld] when it sees somebody. That costs a lock that is held no write,
// and one that is free one request more. A server that lags behind may show a
// holder who has left. A [Semaphore] has no use for it.
func WithProbe() Option {
	return func(c *lockConfig) { c.probe = true }
}

// WithMarks says how many children of the lock directory make the queue of a
// [Mutex] a long one, so that its contenders leave marks in the directory's
// data, see the package's documentation. The default is 64; 0 or less is never.
// Locks that share a path may differ in it. Before ZooKeeper 3.6 the first try
// to read a mark costs each session a connection; there, 0 is better.
func WithMarks(children int) Option {
	return func(c *lockConfig) { c.long = children }
}

func newLockConfig(opts []Option) lockConfig {
	c := lockConfig{long: longQueue, delay: ownDelay, heirTime: heirTime, breath: breath, acl: zk.WorldACL(zk.PermAll), container: true}
	for _, opt := range opts {
		if opt != nil {
			opt(&c)
		}
	}
	return c
}
