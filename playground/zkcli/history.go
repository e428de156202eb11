package zkcli

import (
	"context"
	"fmt"
	"slices"
)

// lastShown is how many lines before the current one the history shows.
const lastShown = 10

// maxHistory is how many bytes of lines a history keeps, besides those that it shows.
const maxHistory = 256 << 10

// lineBytes is what a line takes besides its text.
const lineBytes = 16

// A lineHistory numbers the lines that were done, from 0, and keeps the newest.
type lineHistory struct {
	kept    []string
	dropped int // how many lines came before those
	bytes   int // of kept
}

// count is how many lines were done.
func (h *lineHistory) count() int { return h.dropped + len(h.kept) }

func (h *lineHistory) add(line string) {
	h.kept = append(h.kept, line)
	h.bytes += len(line) + lineBytes
	for h.bytes > maxHistory && len(h.kept) > lastShown+1 {
		h.bytes -= len(h.kept[0]) + lineBytes
		h.kept = slices.Delete(h.kept, 0, 1)
		h.dropped++
	}
}

// line returns a line, if it is kept.
func (h *lineHistory) line(number int) (line string, ok bool) {
	if number < h.dropped || number >= h.count() {
		return "", false
	}
	return h.kept[number-h.dropped], true
}

// replaceLast puts another line in the place of the newest.
func (h *lineHistory) replaceLast(line string) {
	last := len(h.kept) - 1
	h.bytes -= len(h.kept[last]) + lineBytes
	h.kept = h.kept[:last]
	h.add(line)
}

// History returns the newest lines, the oldest of them first.
func (c *Console) History() []string { return slices.Clone(c.history.kept) }

// redo does an earlier line again, and takes its place in the history.
func redo(ctx context.Context, c *Console, number int) (quit bool, err error) {
	if len(c.args) < 2 {
		return false, nil
	}
	wanted, err := decodeInt(c.args[1])
	if err != nil {
		return false, err
	}
	earlier, ok := c.history.line(wanted)
	if !ok || wanted >= number {
		return false, wrong("Command index out of range")
	}
	if tokens := Tokens(earlier); len(tokens) > 0 {
		c.args = tokens
	}
	if c.args[0] == "redo" {
		return false, wrong("No redoing redos")
	}
	if number < c.history.count() { // else it is of the program's own command line
		c.history.replaceLast(earlier)
	}
	return c.process(ctx, number), nil
}

func history(_ context.Context, c *Console, number int) (bool, error) {
	for i := max(0, number-lastShown); i <= number; i++ {
		line, ok := c.history.line(i)
		if !ok {
			line = "null" // the command of the program's own command line is not in it
		}
		c.out(fmt.Sprintf("%d - %s\n", i, line))
	}
	return false, nil
}
