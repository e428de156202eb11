package exercise

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
)

// filled is a line with the numbers of the typist's own znodes, as soon as the log has them.
func (p *performance) filled(ctx context.Context, line string) (string, error) {
	if !lessons.HasOwn(line) || p.at == nil {
		return line, nil
	}
	lane, client := p.at.seat.Lane(), p.at.seat.Number()
	lanes := p.run.Describe().Lanes
	root := lanes[slices.IndexFunc(lanes, func(l event.Lane) bool { return l.Name == lane })].Root
	var own []string
	end := p.run.Log().Len()
	answered, seen := map[string]bool{}, map[string]bool{} // the tree may be told of later than the client
	for e, err := range p.run.Log().Follow(ctx, 1) {
		made := strings.TrimPrefix(e.Path, root)
		switch mine := e.Lane == lane && e.Client == client; {
		case err != nil:
			return "", fmt.Errorf("fill %q in: %w", line, err)
		case mine && e.Kind == event.WireReceived && e.Op == "create" && e.Err == "":
			answered[made] = !seen[made]
		case mine && e.Kind == event.TreeCreated:
			seen[made], answered[made] = true, false
			own = append(own, made)
		case e.Kind == event.TreeDeleted:
			own = slices.DeleteFunc(own, func(each string) bool { return each == made })
		}
		if found, ok := lessons.FillOwn(line, own); ok && e.Seq >= end && !slices.Contains(slices.Collect(maps.Values(answered)), true) {
			return found, nil
		}
	}
	return "", ErrOver
}
