package run

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
)

// programOf is what the lane runs if its recipe is a program, to be changed; nil for none.
func (r *Run) programOf(lane event.Lane) *client.ProgramConfig {
	given := r.config.Program
	if lane.Source != "" {
		given = r.config.Starlark
	}
	if given == nil {
		return nil
	}
	own := *given
	if lane.Source != "" {
		own.Env = append(slices.Clone(own.Env), SourceVariable+"="+lane.Source)
	}
	return &own
}

// SourceVariable has a lane's source, in the environment of what runs it.
const SourceVariable = "PLAYGROUND_SOURCE"
