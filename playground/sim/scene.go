package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// sceneOf is what there was of the victims of f just before it struck: who had
// a session, and which frames waited. The clients are quick, but not equally
// quick each time: a fault that is repeated has to wait until they are as far
// again.
func (r *Run) sceneOf(f Fault) string {
	var scene []string
	for _, c := range r.clients {
		if c.number != f.Client || f.Lane != "" && c.lane != f.Lane {
			continue
		}
		if id, _, _ := c.tap.Session(); id != 0 {
			scene = append(scene, c.lane+" session")
		}
		for _, w := range c.waiting() {
			scene = append(scene, fmt.Sprintf("%s %s %s", w.Lane, w.Dir, w.Op))
		}
	}
	return strings.Join(scene, ", ")
}

// lacks returns the first part of the scene that is not there; empty when
// nothing is missing. There may be more than the scene has.
func (r *Run) lacks(f Fault, scene string) string {
	if scene == "" {
		return ""
	}
	now := strings.Split(r.sceneOf(f), ", ")
	for part := range strings.SplitSeq(scene, ", ") {
		if !slices.Contains(now, part) {
			return part
		}
	}
	return ""
}

// awaitScene returns when nothing of the scene is missing, or ctx's error.
func (r *Run) awaitScene(ctx context.Context, f Fault, scene string) error {
	for missing := r.lacks(f, scene); missing != ""; missing = r.lacks(f, scene) {
		if !sleep(ctx, askPause) { // sessions are not all told in the log
			return fmt.Errorf("%w: there is no %q yet: %w", errDiverged, missing, context.Cause(ctx))
		}
	}
	return nil
}
