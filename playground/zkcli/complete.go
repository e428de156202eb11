package zkcli

import (
	"context"
	"slices"
	"strings"
)

// Complete says what the last word of a line can go on as: what stands from the byte
// start on may be replaced by each of the candidates, which are sorted. As in zkCli a
// word that begins with a slash is a path, whose znodes the server lists, and any
// other is a command.
func (c *Console) Complete(ctx context.Context, line string) (start int, candidates []string) {
	start = strings.LastIndexByte(line, ' ') + 1
	word := line[start:]
	if !strings.HasPrefix(word, "/") {
		return start, startingWith(Commands(), word)
	}
	slash := strings.LastIndexByte(word, '/')
	parent := word[:max(slash, 1)]
	if checkPath(parent) != nil || !c.session.State().Alive() {
		return len(line), nil
	}
	children, _, err := c.session.Children(ctx, parent, false)
	if err != nil {
		return len(line), nil
	}
	slices.Sort(children)
	return start + slash + 1, startingWith(children, word[slash+1:])
}

func startingWith(list []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.HasPrefix(s, prefix) })
}
