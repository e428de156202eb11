package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// missedChunk is how many lines of a log are looked through at once.
const missedChunk = 10_000

// tellMissed says on stderr which faults were asked for and did not happen: a
// verdict that holds may be due to that.
func (p program) tellMissed(run *run.Run) error {
	mark := []byte(`"kind":"` + string(event.NoteFault) + `"`)
	for from := int64(1); from <= run.Log().Len(); {
		lines, n, err := run.Log().Lines(from, missedChunk)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		from += int64(n)
		for line := range bytes.Lines(lines) {
			if !bytes.Contains(line, mark) {
				continue
			}
			var e event.Event
			if err := json.Unmarshal(line, &e); err != nil {
				return fmt.Errorf("read the log: %w", err)
			}
			fmt.Fprintf(p.stderr, "%s: %s\n", e.Fault, e.Why)
		}
	}
	return nil
}
