// Package cluster shares the rooms of a playground out among several programs, its
// replicas, that use one ZooKeeper.
//
// A cluster has a name, and these znodes below BASE/clusters/NAME:
//
//	replicas/       a read/write lock that each replica reads: the queue says which live
//	owners/ROOM/    a mutex for each room: the one who has it is the owner
//	rooms/ROOM      what the room keeps beyond its owner, compressed if it is long
//	codes/CODE      the room of the class with that code
//	secret          what the replicas know each other by
//
// The locks are zklock's, and a znode of theirs has as its data where its replica can be
// reached. What a room keeps is written in one transaction with the guard of the owner's
// lease. So a replica that was paused or cut off, and is not the owner any more, changes
// nothing, whatever it believes.
package cluster

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/zklock"
)

// ErrOwned is returned for a room that another replica has, or is about to give up.
var ErrOwned = errors.New("another replica has this room")

// A Config says which cluster it is, and where this replica can be reached.
type Config struct {
	Servers []string
	// Base is the topmost znode of the playgrounds.
	Base string
	// Name is the cluster's, a part of a path.
	Name string
	// Advertise is the URL by which the other replicas reach this one.
	Advertise string
	// Timeout is that of the session. For so long the rooms of a replica that was killed
	// have no owner. The default is 4 s.
	Timeout time.Duration
	// Log gets what goes wrong.
	Log *slog.Logger
}

// again is the time between two tries to become one of the replicas.
const again = time.Second

// A Cluster is this program's part in one. Its methods are safe for concurrent use.
type Cluster struct {
	config   Config
	session  *zklock.Session
	replicas *zklock.RWMutex
	secret   []byte

	stop    context.CancelFunc
	staying sync.WaitGroup
}

// Join makes this program a replica of a cluster, which there is from the first on. It
// returns when the others can see it.
func Join(ctx context.Context, config Config) (*Cluster, error) {
	if config.Timeout == 0 {
		config.Timeout = 4 * time.Second
	}
	session, err := zklock.Dial(config.Servers, config.Timeout, zklock.WithBuffers(buffers, buffers))
	if err != nil {
		return nil, fmt.Errorf("join cluster %s: %w", config.Name, err)
	}
	c := &Cluster{config: config, session: session}
	c.replicas = zklock.NewRWMutex(session, c.path("replicas"), zklock.WithData([]byte(config.Advertise)))
	var lease *zklock.Lease
	if err = c.prepare(ctx); err == nil {
		lease, err = c.replicas.RLock(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("join cluster %s: %w", config.Name, err), session.Close(ctx))
	}
	staying, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	c.staying.Go(func() { c.stay(staying, lease) })
	return c, nil
}

// stay makes this program a replica again whenever its session was lost.
func (c *Cluster) stay(ctx context.Context, lease *zklock.Lease) {
	for {
		if lease != nil {
			select {
			case <-lease.Lost():
				c.config.Log.Warn("the session of the cluster was lost, and with it all rooms", "cluster", c.config.Name)
			case <-ctx.Done():
				return
			}
		}
		var err error
		if lease, err = c.replicas.RLock(ctx); err != nil && ctx.Err() == nil {
			c.config.Log.Warn("this program is no replica now", "cluster", c.config.Name, "error", err)
			clock.Sleep(ctx, again)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// Close leaves the cluster. Rooms that have not been released have no owner from then on.
func (c *Cluster) Close(ctx context.Context) error {
	c.stop()
	err := c.session.Close(ctx)
	c.staying.Wait()
	return err
}

// Name is the cluster's.
func (c *Cluster) Name() string { return c.config.Name }

// Here is where this replica can be reached.
func (c *Cluster) Here() string { return c.config.Advertise }

// Replicas are the addresses of those that live, or did a session timeout ago.
func (c *Cluster) Replicas(ctx context.Context) ([]string, error) {
	ctx, cancel := c.soon(ctx)
	defer cancel()
	found, err := zklock.Contenders(ctx, c.session, c.path("replicas"))
	if err != nil {
		return nil, fmt.Errorf("list the replicas: %w", err)
	}
	var addresses []string
	for _, contender := range found {
		addresses = append(addresses, string(contender.Data))
	}
	slices.Sort(addresses)
	return slices.Compact(addresses), nil
}

// Owner is the address of the replica that has a room; empty if none has.
func (c *Cluster) Owner(ctx context.Context, room string) (string, error) {
	ctx, cancel := c.soon(ctx)
	defer cancel()
	found, err := zklock.Contenders(ctx, c.session, c.path("owners", room))
	if err != nil {
		return "", fmt.Errorf("look who has room %s: %w", room, err)
	}
	for _, contender := range found {
		if contender.Holder {
			return string(contender.Data), nil
		}
	}
	return "", nil
}

// Rooms are those that keep something.
func (c *Cluster) Rooms(ctx context.Context) (rooms []string, err error) {
	err = c.ask(ctx, func(conn zklock.Client) (err error) {
		rooms, _, err = conn.Children(c.path("rooms"))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the rooms: %w", err)
	}
	return rooms, nil
}

// Abandoned are the rooms that no replica has, and that have kept the same since before an
// instant of ZooKeeper's clock.
func (c *Cluster) Abandoned(ctx context.Context, before time.Time) (rooms []string, err error) {
	all, err := c.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	for _, room := range all {
		var there bool
		var stat *zk.Stat
		err := c.ask(ctx, func(conn zklock.Client) (err error) {
			there, stat, err = conn.Exists(c.path("rooms", room))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look when room %s was written: %w", room, err)
		}
		if !there || !time.UnixMilli(stat.Mtime).Before(before) {
			continue
		}
		owner, err := c.Owner(ctx, room)
		if err != nil {
			return nil, err
		}
		if owner == "" {
			rooms = append(rooms, room)
		}
	}
	return rooms, nil
}

// RoomOfCode is the room of the class with a code; empty if no class has it.
func (c *Cluster) RoomOfCode(ctx context.Context, code string) (string, error) {
	if code == "" || strings.ContainsAny(code, "/.") {
		return "", nil
	}
	room, err := c.get(ctx, c.path("codes", code))
	return string(room), err
}

// Kept is what a room keeps; nil if there is nothing.
func (c *Cluster) Kept(ctx context.Context, room string) ([]byte, error) {
	packed, err := c.get(ctx, c.path("rooms", room))
	if err != nil || packed == nil {
		return nil, err
	}
	text, err := unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("read room %s: %w", room, err)
	}
	return text, nil
}

// get reads what the leader has; nil if there is no such znode.
func (c *Cluster) get(ctx context.Context, node string) (data []byte, err error) {
	err = c.ask(ctx, func(conn zklock.Client) (err error) {
		if _, err = conn.Sync(node); err == nil {
			data, _, err = conn.Get(node)
		}
		return err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", node, err)
	}
	return data, nil
}

// ask is Session.Do for a question to ZooKeeper.
func (c *Cluster) ask(ctx context.Context, do func(zklock.Client) error) error {
	ctx, cancel := c.soon(ctx)
	defer cancel()
	return c.session.Do(ctx, do)
}

// soon lasts for a session timeout at most: when ZooKeeper has not answered by then, it is
// away, and whoever asks is told so.
func (c *Cluster) soon(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.config.Timeout)
}

// Key is a secret for one use, which all replicas make alike, and nobody else.
func (c *Cluster) Key(use string) string {
	code := hmac.New(sha256.New, c.secret)
	code.Write([]byte(use))
	return hex.EncodeToString(code.Sum(nil))
}

func (c *Cluster) path(parts ...string) string {
	return path.Join(append([]string{c.config.Base, "clusters", c.config.Name}, parts...)...)
}

// prepare makes what all replicas need, unless another has done so.
func (c *Cluster) prepare(ctx context.Context) error {
	for _, dir := range []string{c.path("rooms"), c.path("codes")} {
		for at, slash := range dir {
			if slash != '/' || at == 0 {
				continue
			}
			if err := c.create(ctx, dir[:at], nil); err != nil {
				return err
			}
		}
		if err := c.create(ctx, dir, nil); err != nil {
			return err
		}
	}
	if err := c.create(ctx, c.path("secret"), []byte(rand.Text())); err != nil {
		return err
	}
	var err error
	c.secret, err = c.get(ctx, c.path("secret"))
	return err
}

// create makes a znode that stays, unless there is one.
func (c *Cluster) create(ctx context.Context, node string, data []byte) error {
	err := c.session.Do(ctx, func(conn zklock.Client) error {
		_, err := conn.Create(node, data, 0, zk.WorldACL(zk.PermAll))
		return err
	})
	if err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return fmt.Errorf("create %s: %w", node, err)
	}
	return nil
}
