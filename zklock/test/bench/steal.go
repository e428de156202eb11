package main

import (
	"os"
	"strconv"
	"strings"
)

// statFile tells, on Linux, what the processors have spent their time on.
const statFile = "/proc/stat"

// A processorTime is that of all processors since the machine was started, in the
// kernel's units: all of it, and what the machine's host gave to others.
type processorTime struct{ all, stolen uint64 }

// readProcessorTime returns the zero processorTime where it cannot be told.
func readProcessorTime() processorTime {
	text, err := os.ReadFile(statFile)
	if err != nil {
		return processorTime{}
	}
	return parseProcessorTime(string(text))
}

// The columns of the first line are user, nice, system, idle, iowait, irq, softirq
// and steal; those after them are in user and nice as well.
const (
	stolenColumn = 7
	columns      = 8
)

// parseProcessorTime reads the first line of that file.
func parseProcessorTime(text string) (t processorTime) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) <= columns || fields[0] != "cpu" {
		return processorTime{}
	}
	for i, field := range fields[1 : 1+columns] {
		n, err := strconv.ParseUint(field, 10, 48) // so that no sum overflows
		if err != nil {
			return processorTime{}
		}
		t.all += n
		if i == stolenColumn {
			t.stolen = n
		}
	}
	return t
}

// stolenSince returns the share of the time since before that was stolen, 0 where
// it cannot be told.
func (t processorTime) stolenSince(before processorTime) float64 {
	if t.all <= before.all || t.stolen < before.stolen {
		return 0
	}
	return min(1, float64(t.stolen-before.stolen)/float64(t.all-before.all))
}
