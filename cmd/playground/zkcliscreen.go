package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// A screen is where a console is read and shown: a terminal, or lines in and out.
type screen struct {
	in       io.Reader
	out, err io.Writer
	terminal *term.Terminal // nil unless somebody types
	fd       int            // of the terminal
	typing   atomic.Bool    // the terminal leaves all to us
}

// screen is the program's own: a terminal if it has one on both sides.
func (p program) screen() *screen {
	s := &screen{in: p.stdin, out: p.stdout, err: p.stderr}
	in, isFile := p.stdin.(*os.File)
	out, shown := p.stdout.(*os.File)
	if isFile && shown && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) {
		s.fd = int(in.Fd())
		s.terminal = term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{in, out}, "")
	}
	return s
}

// write is a console's output. A terminal keeps the line that is being typed below it.
func (s *screen) write(stream zkcli.Stream, text string) {
	to := s.out
	switch {
	case s.typing.Load():
		to = s.terminal
	case stream == zkcli.Err && s.terminal == nil:
		to = s.err
	}
	_, _ = io.WriteString(to, text) // a console that nobody sees goes on, as zkCli does
}

// converse does the lines that are read until quit, or until there are no more.
func (s *screen) converse(ctx context.Context, console *zkcli.Console) error {
	if s.terminal != nil {
		return s.converseByHand(ctx, console)
	}
	lines := bufio.NewScanner(s.in)
	lines.Buffer(nil, zkcli.MaxLine+1)
	return converse(ctx, console, func() (string, error) {
		if lines.Scan() {
			return lines.Text(), nil
		}
		if lines.Err() != nil {
			return "", lines.Err()
		}
		return "", io.EOF
	})
}

// converseByHand does lines as they are typed: with editing, completion by the tab key
// and the lines before by the arrow keys.
func (s *screen) converseByHand(ctx context.Context, console *zkcli.Console) error {
	before, err := term.MakeRaw(s.fd)
	if err != nil {
		return fmt.Errorf("prepare the terminal: %w", err)
	}
	s.typing.Store(true)
	defer func() {
		s.typing.Store(false)
		term.Restore(s.fd, before)
		fmt.Fprintln(s.out) // below the line that was begun
	}()
	s.terminal.AutoCompleteCallback = func(line string, at int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		done, others := completed(ctx, console, line[:at])
		if done == line[:at] && len(others) > 1 {
			s.write(zkcli.Out, strings.Join(others, "   ")+"\n")
		}
		return done + line[at:], len(done), true
	}
	return converse(ctx, console, func() (string, error) {
		s.terminal.SetPrompt(console.Prompt())
		line, err := s.terminal.ReadLine()
		if errors.Is(err, term.ErrPasteIndicator) {
			err = nil
		}
		return line, err
	})
}

// completed is a line as far as it can go on in one way only, and in which ways it can
// go on then.
func completed(ctx context.Context, console *zkcli.Console, line string) (done string, candidates []string) {
	start, candidates := console.Complete(ctx, line)
	if len(candidates) == 0 {
		return line, nil
	}
	common := candidates[0]
	for _, candidate := range candidates {
		for !strings.HasPrefix(candidate, common) {
			common = common[:len(common)-1]
		}
	}
	if len(candidates) == 1 && !strings.Contains(line[:start], "/") {
		common += " " // a command is complete, a path may go on
	}
	return line[:start] + common, candidates
}

// converse does one line after the other.
func converse(ctx context.Context, console *zkcli.Console, next func() (string, error)) error {
	for {
		line, err := read(ctx, next)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the commands: %w", err)
		}
		if console.Execute(ctx, line) {
			return nil
		}
	}
}

// read is the next line, or the end when the program is to end: a terminal cannot be
// told to stop reading, so that goes on until the program is gone.
func read(ctx context.Context, next func() (string, error)) (string, error) {
	type result struct {
		line string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		line, err := next()
		got <- result{line, err}
	}()
	select {
	case r := <-got:
		return r.line, r.err
	case <-ctx.Done():
		return "", io.EOF
	}
}
