package room

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/zkplayground/zkplayground/playground/room/kept"
)

// A Claim is the right to a room, where several programs share the rooms out. Its file is
// the room's; a write fails when the claim has ended.
type Claim interface {
	kept.File
	// Lost is closed when another program may have the room.
	Lost() <-chan struct{}
	// Release gives the room up: another program may have it.
	Release(ctx context.Context) error
}

func (rs *Rooms) claim(ctx context.Context, name string) (Claim, error) {
	if rs.config.Claim == nil {
		return nil, nil
	}
	return rs.config.Claim(ctx, name)
}

func release(ctx context.Context, claim Claim) error {
	if claim == nil {
		return nil
	}
	return claim.Release(context.WithoutCancel(ctx))
}

// TakeOver makes a room this program's that is nobody's, with all that it keeps: its program
// has ended. The main one it makes if need be. Its error is that of Config.Claim, or wraps
// ErrNoRoom, ErrFull or ErrClosed.
func (rs *Rooms) TakeOver(ctx context.Context, name string) error {
	_, err, _ := rs.taking.Do(name, func() (any, error) { return nil, rs.takeOver(ctx, name) })
	return err
}

func (rs *Rooms) takeOver(ctx context.Context, name string) error {
	if _, err := rs.Get(name); err == nil {
		return nil
	}
	claim, err := rs.claim(ctx, name)
	if err != nil {
		return err
	}
	r := newRoom(name, rs.config, claim)
	if err = r.isKept(); err == nil {
		r.restore()
	} else if name == Main && errors.Is(err, ErrNoRoom) {
		err = nil
	}
	if err == nil {
		_, err = rs.place(ctx, func() *Room { return r })
	}
	if err != nil {
		r.end()
		r.endWriting()
		return errors.Join(err, release(ctx, claim))
	}
	return nil
}

// Forget removes a room that is nobody's, with all that it keeps. Its error is that of
// Config.Claim, or wraps ErrNoRoom.
func (rs *Rooms) Forget(ctx context.Context, name string) error {
	claim, err := rs.claim(ctx, name)
	if err != nil {
		return err
	}
	r := newRoom(name, rs.config, claim)
	if err := r.isKept(); err != nil {
		r.end()
		r.endWriting()
		return errors.Join(err, release(ctx, claim))
	}
	r.restore()
	r.leave()
	return nil
}

// ClassRoomOf is the room of the class that a room belongs to which keeps text: one program
// should have both. Empty means none.
func ClassRoomOf(text []byte) string {
	var r kept.Room
	if json.Unmarshal(text, &r) != nil {
		return ""
	}
	return r.ClassRoom
}

// isKept returns an error that wraps ErrNoRoom when nothing is kept of a claimed room.
func (r *Room) isKept() error {
	_, err := r.claim.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %q", ErrNoRoom, r.name)
	}
	return err
}

// watch takes a room out of use when its claim ends.
func (rs *Rooms) watch(r *Room) {
	if r.claim == nil {
		return
	}
	rs.claims.Go(func() {
		select {
		case <-r.claim.Lost():
			rs.mu.Lock()
			defer rs.mu.Unlock()
			rs.removed(r, r.move)
		case <-r.life.Done():
		}
	})
}

// move is close of a room that another program may have by now. What is written from here
// on is its.
func (r *Room) move() {
	close(r.moved)
	r.endWriting()
	_ = r.close(context.Background())
}

// release gives the room up, unless that has happened.
func (r *Room) release(ctx context.Context) error {
	select {
	case <-r.moved:
		return nil
	default:
		return release(ctx, r.claim)
	}
}
