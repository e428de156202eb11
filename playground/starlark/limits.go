package starlark

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// What a source may use.
const (
	maxSteps    = 1_000_000 // of the interpreter in one call
	maxRequests = 1_000     // in one call
	maxZnodes   = 500       // created and not deleted
	maxNotes    = 100       // in one call
	maxNote     = 1_000     // bytes
	placesEach  = 500       // told in a second; more are left out
	lookSteps   = 4         // between two looks at memory
	heapTarget  = 48 << 20  // bytes, above which memory is freed
	maxHeap     = 128 << 20 // bytes
	look        = 20 * time.Millisecond
	maxCompute  = 2 * time.Second // of the processor, without a call of zk
)

// limit has a thread look at its steps and at the memory of the process as it goes on.
func limit(thread *starlark.Thread) {
	debug.SetMemoryLimit(heapTarget)
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	thread.SetMaxExecutionSteps(lookSteps)
	thread.OnMaxSteps = func(t *starlark.Thread) {
		steps := t.ExecutionSteps()
		switch metrics.Read(sample); {
		case sample[0].Value.Uint64() > maxHeap:
			t.Cancel(fmt.Sprintf("more than %d MiB of memory", maxHeap>>20))
		case steps > maxSteps:
			t.Cancel(fmt.Sprintf("more than %d steps in one call", maxSteps))
		}
		t.SetMaxExecutionSteps(steps + lookSteps)
	}
}

// A watcher sees when one step takes long.
type watcher struct {
	// calls counts the entries to and the exits from the source: odd while it computes.
	calls atomic.Int64
}

// watch returns a sentence when the source computes for longer than it may, and empty after
// stop. What others do on the machine does not count.
func (w *watcher) watch(stop <-chan struct{}) string {
	ticks := time.NewTicker(look)
	defer ticks.Stop()
	for last, began := int64(0), processorTime(); ; {
		select {
		case <-stop:
			return ""
		case <-ticks.C:
		}
		if calls := w.calls.Load(); calls%2 == 0 || calls != last {
			last, began = calls, processorTime()
		} else if processorTime()-began > maxCompute {
			return fmt.Sprintf("it computes for more than %v without a call of zk", maxCompute)
		}
	}
}
