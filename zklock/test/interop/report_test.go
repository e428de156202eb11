package interop

import (
	"fmt"
	"strings"
)

// report fails the test for what the witness objects to, and logs its counts.
func (c *contest) report() {
	c.Helper()
	c.witness.mu.Lock()
	defer c.witness.mu.Unlock()
	for _, violation := range c.witness.violations {
		c.Error(violation)
	}
	seen := c.witness.counts
	for _, e := range c.entries() {
		sum, turns := 0, []int(nil)
		for _, who := range names(e.who) {
			n := seen.entered[entry{who, e.mode}]
			sum, turns = sum+n, append(turns, n)
		}
		c.Logf("%s had the lock to %s %d times: %v", e.who, e.mode, sum, turns)
	}
	for _, from := range c.entries() {
		var next []string
		for _, to := range c.entries() {
			next = append(next, fmt.Sprintf("%s to %s %d", to.who, to.mode, seen.handovers[handover{from, to}]))
		}
		c.Logf("next after %s to %s: %s", from.who, from.mode, strings.Join(next, ", "))
	}
	if c.readers() > 1 {
		c.Logf("readers let in beside one of another library: %d", seen.shared)
	}
	c.Logf("violations: %d", len(c.witness.violations))
}
