//go:build !linux

package starlark

import "time"

// Elsewhere what is noticed has to do.
func limitProcess() {}

var begun = time.Now()

// The clock stands for the processor here.
func processorTime() time.Duration { return time.Since(begun) }
