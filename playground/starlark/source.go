package starlark

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// MaxSource is how long a source may be, in bytes.
const MaxSource = 16 << 10

// ErrSource is wrapped by what is wrong with a source.
var ErrSource = errors.New("the source is no lock")

// An Error is at a place of the source; lines and columns count from 1.
type Error struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

func (e Error) Error() string { return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text) }

// Unwrap says that it is one of the source.
func (e Error) Unwrap() error { return ErrSource }

// dialect is Starlark with loops, and without recursion.
var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// Check says what is wrong with a source, without running it: it does not parse, names what
// is not defined, or does not define what a lock is.
func Check(source string) error {
	_, err := compile(source)
	return err
}

func compile(source string) (*starlark.Program, error) {
	if len(source) > MaxSource {
		return nil, fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrSource, len(source), MaxSource)
	}
	file, program, err := starlark.SourceProgramOptions(dialect, "lock.star", source, func(name string) bool { return name == "zk" })
	if err != nil {
		return nil, located(err)
	}
	if program.NumLoads() > 0 {
		_, at := program.Load(0)
		return nil, errorAt(at, "there is nothing to load")
	}
	for _, name := range []string{"acquire", "release"} {
		defines := slices.ContainsFunc(file.Stmts, func(s syntax.Stmt) bool {
			def, ok := s.(*syntax.DefStmt)
			return ok && def.Name.Name == name
		})
		if !defines {
			return nil, fmt.Errorf("%w: it does not define %s", ErrSource, name)
		}
	}
	return program, nil
}

func errorAt(at syntax.Position, text string) error {
	return Error{Line: max(int(at.Line), 1), Column: max(int(at.Col), 1), Text: text}
}

// located is an error of the interpreter, at the innermost place of the source.
func located(err error) error {
	var parsing syntax.Error
	var resolving resolve.ErrorList
	var running *starlark.EvalError
	switch {
	case errors.As(err, &parsing):
		return errorAt(parsing.Pos, parsing.Msg)
	case errors.As(err, &resolving):
		return errorAt(resolving[0].Pos, resolving[0].Msg)
	case errors.As(err, &running):
		for i := range running.CallStack {
			if at := running.CallStack.At(i).Pos; at.Line > 0 {
				return errorAt(at, running.Msg)
			}
		}
	}
	return fmt.Errorf("%w: %w", ErrSource, err)
}
