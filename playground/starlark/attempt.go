package starlark

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// ErrZooKeeper is wrapped by what ZooKeeper refuses or cannot answer.
var ErrZooKeeper = errors.New("ZooKeeper")

func failed(err error) error {
	return fmt.Errorf("%w: %s", ErrZooKeeper, strings.TrimPrefix(err.Error(), "zk: "))
}

// attempt calls, and returns the error of ZooKeeper as a value.
func attempt(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("zk.attempt: it needs what to call")
	}
	v, err := starlark.Call(thread, args[0], args[1:], named)
	switch {
	case err == nil:
		return starlark.Tuple{v, starlark.None}, nil
	case errors.Is(err, ErrZooKeeper):
		return starlark.Tuple{starlark.None, starlark.String(strings.TrimPrefix(cause(err).Error(), ErrZooKeeper.Error()+": "))}, nil
	default:
		return nil, err
	}
}

// cause is an error without the places that it has passed.
func cause(err error) error {
	var running *starlark.EvalError
	for errors.As(err, &running) && running.Unwrap() != nil {
		err = running.Unwrap()
	}
	return err
}
