package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A Claim is the right of this replica to a room. Its methods are safe for concurrent use.
type Claim struct {
	cluster *Cluster
	room    string
	lease   *zklock.Lease

	mu   sync.Mutex // one writes at a time
	kept bool       // there is a znode
	code string     // that the room's class is known by
}

// Claim makes this replica the owner of a room that has none; otherwise the error wraps
// [ErrOwned].
func (c *Cluster) Claim(ctx context.Context, room string) (*Claim, error) {
	lease, err := zklock.NewMutex(c.session, c.path("owners", room), zklock.WithData([]byte(c.config.Advertise))).TryLock(ctx)
	switch {
	case errors.Is(err, zklock.ErrHeld):
		return nil, fmt.Errorf("%w: %q", ErrOwned, room)
	case err != nil:
		return nil, fmt.Errorf("claim room %s: %w", room, err)
	}
	return &Claim{cluster: c, room: room, lease: lease}, nil
}

// Lost is closed when the claim may not be this replica's any more.
func (c *Claim) Lost() <-chan struct{} { return c.lease.Lost() }

// Release gives the claim up, with all written.
func (c *Claim) Release(ctx context.Context) error { return c.lease.Unlock(ctx) }

// The parts of what a room keeps that the cluster must know.
type kept struct {
	Class struct{ Code string }
}

func codeOf(text []byte) (string, error) {
	var room kept
	err := json.Unmarshal(text, &room)
	return room.Class.Code, err
}

// Read is what the room keeps; the error wraps fs.ErrNotExist if that is nothing.
func (c *Claim) Read() ([]byte, error) {
	ctx, cancel := c.context()
	defer cancel()
	text, err := c.cluster.Kept(ctx, c.room)
	if err == nil && text == nil {
		err = fmt.Errorf("room %s: %w", c.room, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = true
	c.code, _ = codeOf(text) // who reads the text says what is wrong with it
	return text, nil
}

// Write replaces what the room keeps, in JSON, for as long as the claim holds. Of a room that
// may keep something, Read comes first.
func (c *Claim) Write(text []byte) error {
	code, err := codeOf(text)
	if err != nil {
		return fmt.Errorf("write room %s: %w", c.room, err)
	}
	packed, err := pack(text)
	if err != nil {
		return fmt.Errorf("write room %s: %w", c.room, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ops := []any{&zk.SetDataRequest{Path: c.node(), Data: packed, Version: -1}}
	if !c.kept {
		ops = []any{&zk.CreateRequest{Path: c.node(), Data: packed, Acl: zk.WorldACL(zk.PermAll)}}
	}
	if code != "" && code != c.code {
		ops = append(ops, &zk.CreateRequest{Path: c.cluster.path("codes", code), Data: []byte(c.room), Acl: zk.WorldACL(zk.PermAll)})
	}
	err = c.do(ops...)
	if errors.Is(err, zk.ErrNodeExists) && c.has(text) { // the reply to an earlier try was lost
		err = nil
	}
	if err != nil {
		return fmt.Errorf("write room %s: %w", c.room, err)
	}
	c.kept, c.code = true, code
	return nil
}

// has says whether the room keeps the text.
func (c *Claim) has(text []byte) bool {
	ctx, cancel := c.context()
	defer cancel()
	kept, err := c.cluster.Kept(ctx, c.room)
	return err == nil && bytes.Equal(kept, text)
}

// Remove forgets the room for good.
func (c *Claim) Remove() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.kept {
		return nil
	}
	ops := []any{&zk.DeleteRequest{Path: c.node(), Version: -1}}
	if c.code != "" {
		ops = append(ops, &zk.DeleteRequest{Path: c.cluster.path("codes", c.code), Version: -1})
	}
	if err := c.do(ops...); err != nil && !errors.Is(err, zk.ErrNoNode) {
		return fmt.Errorf("remove room %s: %w", c.room, err)
	}
	c.kept, c.code = false, ""
	return nil
}

// do does it all if the claim holds, and nothing otherwise.
func (c *Claim) do(ops ...any) error {
	ctx, cancel := c.context()
	defer cancel()
	return c.cluster.session.Do(ctx, func(conn zklock.Client) error {
		responses, err := conn.Multi(append([]any{c.lease.Guard()}, ops...)...)
		for _, response := range responses {
			if err != nil && response.Error != nil { // which of them it was
				return response.Error
			}
		}
		return err
	})
}

// context lasts as long as the claim may, and no longer than a session timeout.
func (c *Claim) context() (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.lease.Context(), c.cluster.config.Timeout)
}

func (c *Claim) node() string { return c.cluster.path("rooms", c.room) }
