package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

// A limitReading is the data of a semaphore's directory.
type limitReading struct {
	data []byte
	stat *zk.Stat
}

func (s *Semaphore) read(ctx context.Context) (limitReading, error) {
	return do(ctx, s.session, func(c Client) (r limitReading, err error) {
		r.data, r.stat, err = c.Get(s.path)
		return r, err
	})
}

// agree reads the limit, and stores the own one where there is none.
func (s *Semaphore) agree(ctx context.Context) error {
	for {
		got, err := s.read(ctx)
		switch {
		case errors.Is(err, zk.ErrNoNode):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, s.Limit(), got.stat)
		case err == nil:
			return s.compare(got)
		}
		if err != nil && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// compare adopts the stored limit if it may.
func (s *Semaphore) compare(got limitReading) error {
	stored, err := parseLimit(got.data)
	if err != nil {
		return err
	}
	if err := s.agreed.check(stored, got.stat); err != nil {
		return err
	}
	s.agreed.adopt(stored, got.stat)
	return nil
}

// store writes the limit into a directory that was empty of data.
func (s *Semaphore) store(ctx context.Context, limit int, empty *zk.Stat) error {
	stat, err := do(ctx, s.session, func(c Client) (*zk.Stat, error) {
		return c.Set(s.path, formatLimit(limit), empty.Version)
	})
	if err == nil {
		s.session.directories.saw(s.path, stat, s.config.long)
	}
	return err
}

// Resize changes the stored limit from the semaphore's own to max. Semaphores
// that have agreed with the stored limit follow, and waiters for whom there is
// a permit now get it; a smaller limit takes nothing from those who hold.
//
// It returns an [*Error], which wraps [ErrLimitMismatch] when the stored limit
// is neither the own one nor max, and [ErrLimitRange] when max can be none.
// After any other error, as when the connection was lost, the limit may be
// changed or not, and the call may be repeated.
func (s *Semaphore) Resize(ctx context.Context, max int) error {
	err := checkLimit(max)
	if err == nil {
		err = s.inSession(ctx, func(ctx context.Context) error { return s.resize(ctx, max) })
	}
	if err != nil {
		return failure("resize", s.path, "", err)
	}
	return nil
}

func (s *Semaphore) resize(ctx context.Context, max int) error {
	for {
		got, err := s.read(ctx)
		switch {
		case errors.Is(err, zk.ErrNoNode):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, max, got.stat)
		case err == nil && string(got.data) == string(formatLimit(max)):
			s.agreed.adopt(max, got.stat)
			return nil
		case err == nil:
			if err = s.compare(got); err != nil {
				return err
			}
			if err = s.replace(ctx, max, got.stat); err == nil {
				return nil
			}
		}
		if err != nil && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// replace writes another limit. A child that comes and goes in the same
// transaction wakes those who watch the queue. A watch on the directory's data
// would do so too, but go-zookeeper cannot remove one that never fires, and
// would keep one for each wait.
func (s *Semaphore) replace(ctx context.Context, limit int, old *zk.Stat) error {
	bell := path.Join(s.path, "resize-"+s.session.config.newGUID())
	replies, err := do(ctx, s.session, func(c Client) ([]zk.MultiResponse, error) {
		return c.Multi(
			&zk.SetDataRequest{Path: s.path, Data: formatLimit(limit), Version: old.Version},
			&zk.CreateRequest{Path: bell, Acl: s.config.acl},
			&zk.DeleteRequest{Path: bell, Version: -1},
		)
	})
	if err == nil && len(replies) > 0 && replies[0].Stat != nil {
		s.agreed.adopt(limit, replies[0].Stat)
	}
	return err
}
