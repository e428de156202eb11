package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

const (
	// bootTimeout bounds the start of managed servers.
	bootTimeout = 40 * time.Second
	// firstAnswer is how long somebody else's server may take to answer.
	firstAnswer = 5 * time.Second
	// stopManaged bounds the stop of managed servers; their TERM takes 0.3 s.
	stopManaged = 4 * time.Second
	// ensembleInterval is the pause between two questions to each server of an
	// ensemble: an election takes less than the usual pause.
	ensembleInterval = 100 * time.Millisecond
)

// A backend is the ZooKeeper that a command works on: managed servers, or
// somebody else's.
type backend struct {
	addresses []string
	managed   *zkserver.Ensemble // nil if it is not ours
	super     string             // the superuser's password; empty for none
	monitor   *zkserver.Monitor
	redis     redisBackend
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// A backendFlags are the flags that say which ZooKeeper to use.
type backendFlags struct {
	zookeeper, redis, home, data string
	nodes                        int
}

func (f *backendFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&f.zookeeper, "zookeeper", "auto",
		"`servers` to use, host:port,host:port; auto is $ZK_SERVERS if set, else a server started here")
	flags.StringVar(&f.redis, "redis", "auto",
		"`server`, host:port, for the scenarios that have a lock in Redis; auto is $REDIS_SERVER if set, else one started here when it is needed")
	flags.IntVar(&f.nodes, "nodes", 1, "how many `servers` to start here, 1 or 3; with 3, a leader can be killed")
	flags.StringVar(&f.home, "zookeeper-home", "", "`directory` where ZooKeeper is installed, for a server started here")
	flags.StringVar(&f.data, "data", "", "`directory` for ZooKeeper's data, long logs, and, of serve, rooms and their last runs; empty means a temporary one")
}

// openBackend finds the ZooKeeper that the flags mean, and starts it if it is
// to be ours. Watch must follow.
func (p program) openBackend(ctx context.Context, f backendFlags) (*backend, error) {
	b, err := p.newBackend(f)
	if err != nil {
		return nil, err
	}
	return b, b.start(ctx, f)
}

// newBackend reads what the flags and the environment say of a backend. It starts nothing,
// so a mistake in them costs nothing either. Start must follow.
func (p program) newBackend(f backendFlags) (*backend, error) {
	servers := p.getenv("ZK_SERVERS")
	if err := f.checkNodes(servers); err != nil {
		return nil, err
	}
	redis, err := p.findRedis(f)
	if err != nil {
		return nil, err
	}
	b := &backend{stop: func() {}, super: p.getenv("ZK_SUPER_PASSWORD"), redis: redis}
	switch {
	case f.zookeeper != "auto":
		return b, b.parseAddresses("-zookeeper", f.zookeeper)
	case servers != "":
		return b, b.parseAddresses("ZK_SERVERS", servers)
	}
	return b, nil
}

// start makes the directory of the data, and starts servers where none are named.
func (b *backend) start(ctx context.Context, f backendFlags) error {
	if f.data != "" {
		if err := os.MkdirAll(f.data, 0o700); err != nil {
			return fmt.Errorf("%w: -data: %w", errUsage, err)
		}
	}
	if len(b.addresses) > 0 {
		return nil
	}
	return b.startManaged(ctx, f)
}

// checkNodes refuses a number of servers that cannot be had, or of servers
// that are not started here.
func (f *backendFlags) checkNodes(servers string) error {
	switch {
	case f.nodes != 1 && f.nodes != 3:
		return fmt.Errorf("%w: -nodes %d: choose 1 or 3", errUsage, f.nodes)
	case f.nodes == 1:
		return nil
	case f.zookeeper != "auto":
		return fmt.Errorf("%w: -nodes %d: the servers of -zookeeper run already, leave one of the two out", errUsage, f.nodes)
	case servers != "":
		return fmt.Errorf("%w: -nodes %d: the servers of $ZK_SERVERS run already, unset it or leave -nodes out", errUsage, f.nodes)
	}
	return nil
}

// startManaged starts servers of our own. Three go without the admin server,
// which would take as much memory as a fourth.
func (b *backend) startManaged(ctx context.Context, f backendFlags) error {
	b.super = rand.Text()
	ensemble, err := startServers(ctx, zkserver.Config{Home: f.home, Dir: serverDir(f.data), AdminServer: f.nodes == 1,
		SuperPassword: b.super}, f.nodes)
	if err != nil {
		return err
	}
	b.managed, b.addresses = ensemble, ensemble.Addresses()
	return nil
}

// ofRuns is the backend as runs know it. Faults of servers need servers of our own.
func (b *backend) ofRuns() run.Backend {
	known := run.Backend{Servers: b.addresses, ZooKeeper: b.describe, Gate: b.gate, SuperPassword: b.super, Redis: b.redis.Redis}
	if b.managed != nil { // else Cluster would be an interface that holds nil
		known.Cluster = b.managed
	}
	return known
}

// serverDir is where a server keeps its data below the user's directory; empty
// means a temporary one.
func serverDir(data string) string {
	if data == "" {
		return ""
	}
	return filepath.Join(data, "zookeeper")
}

// startServers starts 1 or 3 servers within bootTimeout.
func startServers(ctx context.Context, config zkserver.Config, nodes int) (*zkserver.Ensemble, error) {
	booting, cancel := context.WithTimeout(ctx, bootTimeout)
	defer cancel()
	ensemble, err := zkserver.StartEnsemble(booting, config, nodes)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, errInterrupted
	case errors.Is(err, zkserver.ErrConfig):
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	return ensemble, err
}

// parseAddresses reads host:port,host:port; the port may be left out.
func (b *backend) parseAddresses(name, list string) error {
	for address := range strings.SplitSeq(list, ",") {
		address = strings.TrimSpace(address)
		if !strings.Contains(address, ":") {
			address = net.JoinHostPort(address, "2181")
		}
		if !isAddress(address) {
			return fmt.Errorf("%w: %s %q: write it as host:port,host:port, or auto", errUsage, name, list)
		}
		b.addresses = append(b.addresses, address)
	}
	return nil
}

func isAddress(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return err == nil && number > 0 && host != "" && !strings.ContainsAny(host, "/ ")
}

// watch follows the servers from now on and returns when one of them has
// answered. From then on it tells notify about every change.
func (b *backend) watch(ctx context.Context, notify func(zkserver.Status)) error {
	answered := false // only the monitor's calls, one at a time, use it
	b.monitor = zkserver.NewMonitor(zkserver.MonitorConfig{
		Addresses: b.addresses, Managed: b.managed != nil, Interval: b.interval(), Notify: func(s zkserver.Status) {
			if answered = answered || s.State == zkserver.Live; answered {
				notify(s)
			}
		}})
	watching, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.running.Go(func() { b.monitor.Run(watching) })
	return b.await(ctx)
}

func (b *backend) interval() time.Duration {
	if b.nodes() > 1 {
		return ensembleInterval
	}
	return zkserver.DefaultInterval
}

// nodes is how many servers are ours.
func (b *backend) nodes() int {
	if b.managed == nil {
		return 0
	}
	return b.managed.Nodes()
}

// ensemble is how this program itself uses ZooKeeper.
func (b *backend) ensemble() wire.Ensemble {
	return wire.Ensemble{Addresses: b.addresses, Ready: b.gate, SuperPassword: b.super}
}

// newestZxid asks for the newest transaction.
func (b *backend) newestZxid(ctx context.Context) (zxid int64, err error) {
	err = b.ensemble().Do(ctx, zxidSession, func(conn *wire.Client) error {
		err := conn.Sync(ctx, "/")
		zxid = conn.Zxid()
		return err
	})
	return zxid, err
}

// zxidSession is the session timeout of who asks for it.
const zxidSession = 10 * time.Second

// gate blocks until a server can be dialled.
func (b *backend) gate(ctx context.Context) error { return b.monitor.Wait(ctx) }

// await waits for the first answer, so that a wrong address is told at once, and refuses
// a server that lacks the watches of whole trees.
func (b *backend) await(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	err := b.monitor.Wait(waiting)
	switch {
	case err != nil && ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return fmt.Errorf("no ZooKeeper answers at %s: start it, or unset $ZK_SERVERS and leave -zookeeper out to have one started here",
			strings.Join(b.addresses, ", "))
	}
	for _, s := range b.monitor.Current() {
		if zkserver.Older(s.Version, 3, 6) {
			return fmt.Errorf("ZooKeeper %s at %s is too old: use 3.6 or newer, which tells of all changes below a znode", s.Version, s.Address)
		}
	}
	return nil
}

// describe tells which server answers, for readers of a log.
func (b *backend) describe() event.Server {
	server := event.Server{Managed: b.managed != nil, Nodes: b.nodes()}
	for _, s := range b.monitor.Current() {
		if s.Version != "" {
			server.Version, server.Build = s.Version, s.Build
			break
		}
	}
	return server
}

// close stops watching, and the servers if they are ours.
func (b *backend) close(ctx context.Context) error {
	b.stop()
	b.running.Wait()
	ctx, cancel := context.WithTimeout(ctx, stopManaged)
	defer cancel()
	err := b.redis.stop(ctx)
	if b.managed == nil {
		return err
	}
	if failed := b.managed.Stop(ctx); failed != nil {
		err = errors.Join(err, fmt.Errorf("stop ZooKeeper: %w", failed))
	}
	return err
}

// A redisBackend is the Redis that runs may have locks in: one of our own, which is
// started when a run needs it, or somebody else's.
type redisBackend struct {
	run.Redis
	stop func(context.Context) error
}

// findRedis finds the Redis that the flags mean. Whether it answers a run finds out.
func (p program) findRedis(f backendFlags) (redisBackend, error) {
	address := f.redis
	if address == "auto" {
		address = cmp.Or(p.getenv("REDIS_SERVER"), address)
	}
	if address == "auto" {
		own := redisserver.NewOnDemand(p.getenv)
		return redisBackend{own, own.Stop}, nil
	}
	if !strings.Contains(address, ":") {
		address = net.JoinHostPort(address, "6379")
	}
	if !isAddress(address) {
		return redisBackend{}, fmt.Errorf("%w: -redis %q: write it as host:port, or auto", errUsage, f.redis)
	}
	return redisBackend{redisserver.Address(address), func(context.Context) error { return nil }}, nil
}
