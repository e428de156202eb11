package zklock

import (
	"slices"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// defaultBuffer is the size of each of the client's two buffers, in bytes.
const defaultBuffer = 64 << 10

// A DialOption configures [Dial]. Every [SessionOption] is one too. Options of
// all types may be nil, and then change nothing.
type DialOption interface{ applyDial(*dialConfig) }

// A SessionOption configures a [Session], dialed or brought.
type SessionOption func(*sessionConfig)

type sessionConfig struct {
	handshake time.Duration
	hook      func(SessionState)
	direct    bool
	sync      bool
	newGUID   func() string
	root      string // above the paths of locks: a chroot, or ""
	receive   int    // the client's limit for a frame, in bytes; 0 when not known
	send      int    // the same for frames that it sends
}

func newSessionConfig() sessionConfig {
	return sessionConfig{direct: true, sync: true, newGUID: newGUID}
}

type dialConfig struct {
	session       sessionConfig
	dialer        zk.Dialer
	logger        zk.Logger
	secrets       []secret
	receive, send int
}

// A secret is what a client is authenticated by.
type secret struct {
	scheme string
	auth   []byte
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

// WithDirectRequests says whether most requests of the locks go past
// go-zookeeper's queues, over the connection that it has made; see the package's
// documentation. The default is true. Without, a lock that many contend for makes
// 12 to 14 % fewer acquisitions, and one that was not idle costs one more read.
func WithDirectRequests(direct bool) SessionOption {
	return func(c *sessionConfig) { c.direct = direct }
}

// WithSync says whether the session asks the leader, by a sync each sixth of its
// timeout, while it holds a lease, and counts on itself only as far as the leader has
// answered; see the package's documentation. The default is true. Without, a lease may
// be believed in behind a follower that is cut off from its leader, for up to its
// syncLimit in ticks after another client has the lock. With, a leader that answers
// nobody for six tenths of the timeout ends leases, though their sessions may live. A server
// that is alone needs none, and a connection without the session's Dialer sends none.
func WithSync(sync bool) SessionOption {
	return func(c *sessionConfig) { c.sync = sync }
}

// WithDialer has connections made by dialer instead of [net.DialTimeout], which
// nil stands for. For TLS, it calls [crypto/tls.DialWithDialer].
func WithDialer(dialer zk.Dialer) DialOption {
	return dialOption(func(c *dialConfig) { c.dialer = dialer })
}

// WithAuth authenticates the session, as by the scheme "digest" and "user:password". The
// locks wait for that. The option may be given several times. Together with
// [WithACL], such as of zk.AuthACL(zk.PermAll), the lock is for these users only.
func WithAuth(scheme string, auth []byte) DialOption {
	return dialOption(func(c *dialConfig) { c.secrets = append(c.secrets, secret{scheme, slices.Clone(auth)}) })
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
// of a lock that is larger than send fails with zk.ErrShortBuffer; beside the
// path and the data of [WithData], it takes 2 KiB at most. Your own requests
// through [Session.Client] are bounded too: the connection breaks at a larger
// answer, and go-zookeeper may panic at a larger request.
func WithBuffers(receive, send int) DialOption {
	return dialOption(func(c *dialConfig) { c.receive, c.send = receive, send })
}

// An Option configures a lock. Those that a kind has no use for are ignored.
type Option func(*lockConfig)

type lockConfig struct {
	acl        []zk.ACL
	data       []byte
	container  bool
	recipe     queue.Recipe
	ownWatch   bool
	maxWaiters int
	markers    []string // of foreign contenders
	probe      bool
	delay      time.Duration // see ownWatchDelay
	traces     traces
}

func newLockConfig(opts []Option) lockConfig {
	c := lockConfig{
		acl: zk.WorldACL(zk.PermAll), container: true, recipe: queue.Default, ownWatch: true, delay: ownWatchDelay,
	}
	for _, opt := range opts {
		if opt != nil {
			opt(&c)
		}
	}
	return c
}

// WithACL sets the access control list of the znodes that the lock creates,
// the missing parents included. The default is open to everybody. It must let
// all contenders read each znode, and create and delete in the directory; to be
// asked for by [Revoke], write. Those of a [Semaphore] must be let write the
// directory. Who may not delete cannot unlock, see [Lease.Unlock].
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
// wake-up. It takes more round trips than the lock does otherwise, and changes
// nothing else. A [Semaphore] has no use for it.
func WithTextbook() Option { return WithRecipe(queue.Textbook) }

// WithRecipe is for the packages of this module that compare recipes. Others cannot
// name a queue.Recipe.
func WithRecipe(recipe queue.Recipe) Option {
	return func(c *lockConfig) { c.recipe = recipe }
}

// WithOwnWatch says whether a waiter that is next, and a lease that lasts longer
// than a moment, watch their own znode. The default is true. Without, a lease is
// not told when somebody deletes its znode, or asks for the lock by [Revoke]; it
// still ends with its session. That saves a request and a notification, which
// matters only to who counts them.
func WithOwnWatch(watch bool) Option {
	return func(c *lockConfig) { c.ownWatch = watch }
}

// WithOwnWatchDelay says how long a waiter that is next, or a lease, goes without that
// watch. The default is 10 ms, after which most leases are over. With 0 a lease is told
// at once when somebody deletes its znode, for one request a lease more.
func WithOwnWatchDelay(delay time.Duration) Option {
	return func(c *lockConfig) { c.delay = delay }
}

// WithExtraMarkers makes the lock stand in line behind contenders of other
// libraries too, whose znodes are named by a marker before the number, and
// perhaps a guid before that. They count as exclusive, for a [Semaphore] as one
// permit each. The marker of kazoo's Lock is "__lock__".
//
// The other side must be told of this lock's marker, or it sees nobody and holds
// beside it: the package's documentation has the line for each library. Without this
// option, the lock refuses to be in one directory with such contenders, see
// [ErrForeign]; but who comes while it is held, and does not look for it, cannot be
// kept out.
func WithExtraMarkers(markers ...string) Option {
	return func(c *lockConfig) { c.markers = append(c.markers, markers...) }
}

// WithMaxWaiters bounds the queue: Lock returns [ErrTooManyWaiters] when it
// finds more than n contenders that it would have to wait for. 0 or less is no
// bound. Each path of a [Multi] is bounded by itself.
func WithMaxWaiters(n int) Option {
	return func(c *lockConfig) { c.maxWaiters = n }
}

// WithProbe has TryLock list the queue before it joins it, and return
// [ErrHeld] when it sees somebody. That costs a lock that is held no write,
// and one that is free one request more. A server that lags behind may show a
// holder who has left. A [Semaphore] has no use for it.
func WithProbe() Option {
	return func(c *lockConfig) { c.probe = true }
}
