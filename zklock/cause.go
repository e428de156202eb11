package zklock

import (
	"context"
	"errors"
)

// An interruption is why a caller's context has ended. The cause of one may be
// any error: that of another request, as in an errgroup, or that of a lease
// whose context it is. It must not be taken for an answer of the server, or
// for the end of a lease, so it does not unwrap to them. What is returned to
// the caller does, see reported.
type interruption struct{ err, cause error }

func (i interruption) Error() string {
	if errors.Is(i.cause, context.Canceled) || errors.Is(i.cause, context.DeadlineExceeded) {
		return i.cause.Error()
	}
	return i.err.Error() + ": " + i.cause.Error()
}

// An ownKey finds, in a context of this package, that it is one. The causes of
// these are errors of this package, or interruptions.
type ownKey struct{}

func own(ctx context.Context) context.Context { return context.WithValue(ctx, ownKey{}, true) }

// disown returns an own context as a caller's.
func disown(ctx context.Context) context.Context { return context.WithValue(ctx, ownKey{}, nil) }

// interrupted returns why ctx has ended, nil while it has not.
func interrupted(ctx context.Context) error {
	cause := causeOf(ctx)
	if cause == nil || ctx.Value(ownKey{}) != nil {
		return cause
	}
	return interruption{ctx.Err(), cause}
}

// causeOf is context.Cause for spans, too.
func causeOf(ctx context.Context) error {
	if s, ok := ctx.(*span); ok {
		return s.cause()
	}
	return context.Cause(ctx)
}

// A report is an error for the caller, who finds both in it: the error of the
// context, and its cause.
type report struct {
	error
	why interruption
}

func (r *report) Unwrap() []error { return []error{r.error, r.why.err, r.why.cause} }

// reported returns err as the caller is told of it. It compares no causes, as
// they may be of a type for which that panics.
func reported(err error) error {
	if err == nil {
		return nil
	}
	var why interruption
	switch _, bare := err.(interruption); {
	case !errors.As(err, &why):
		return err
	case bare && errors.Is(why.err, why.cause):
		return why.err
	default:
		return &report{err, why}
	}
}

// uncaused returns err, in which the error of the context is found, and not the
// cause of that.
func uncaused(err error) error {
	var why interruption
	if !errors.As(err, &why) {
		return err
	}
	return &report{err, interruption{why.err, why.err}}
}

// failure is what an operation returns that fails with err.
func failure(op, path, node string, err error) *Error {
	return &Error{Op: op, Path: path, Node: node, Err: reported(err)}
}
