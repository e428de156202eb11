package main

import (
	"os"
	"strconv"
	"strings"
)

// statFile tells, on Linux, what the processors have spent their time on.
const statFile = "/proc/stat"

// A clock is the time of all processors since the machine was started, in units
// of the kernel's: all of it, and what was stolen, the host having given it to others.
type clock struct{ all, stolen uint64 }

// readClock returns the zero clock where it cannot be told.
func readClock() clock {
	text, err := os.ReadFile(statFile)
	if err != nil {
		return clock{}
	}
	return parseClock(string(text))
}

// The columns of the first line are user, nice, system, idle, iowait, irq, softirq
// and steal; those after them are in user and nice as well.
const (
	stolenColumn = 7
	columns      = 8
)

// parseClock reads the first line of that file.
func parseClock(text string) (c clock) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) <= columns || fields[0] != "cpu" {
		return clock{}
	}
	for i, field := range fields[1 : 1+columns] {
		n, err := strconv.ParseUint(field, 10, 48) // so that no sum overflows
		if err != nil {
			return clock{}
		}
		c.all += n
		if i == stolenColumn {
			c.stolen = n
		}
	}
	return c
}

// stolenSince returns the share of the time since before that was stolen, 0 where
// it cannot be told.
func (c clock) stolenSince(before clock) float64 {
	if c.all <= before.all || c.stolen < before.stolen {
		return 0
	}
	return min(1, float64(c.stolen-before.stolen)/float64(c.all-before.all))
}
