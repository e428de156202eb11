package zklock

import (
	"context"
	"errors"
)

// renew starts the sequence counter again, by making the directory anew with
// the same limit, when it is found idle. A release cannot do that as a mutex's
// does: a directory with data in it is not its to delete.
func (s *Semaphore) renew(ctx context.Context) error {
	got, err := s.read(ctx)
	if err == nil && got.stat.NumChildren == 0 {
		if err := s.compare(got); err != nil {
			return err
		}
		_, err = do(ctx, s.session, func(c Client) (struct{}, error) {
			return struct{}{}, c.Delete(s.path, got.stat.Version)
		})
		if err == nil {
			s.session.directories.forget(s.path)
			s.high.Store(false)
		}
	}
	if err != nil && !answered(err) {
		return err
	}
	return s.agree(ctx)
}

// note takes in what an acquisition says of the counter.
func (s *Semaphore) note(l *Lease, err error) {
	high := !errors.As(err, new(interruption)) && errors.Is(err, ErrSequenceExhausted)
	if err == nil {
		high = l.place.sequence >= resetSequence
	}
	s.high.Store(high)
}
