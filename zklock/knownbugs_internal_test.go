package zklock

import (
	"slices"
	"sync"
	"testing"
)

// The goroutines that share a lock share its names: none is used twice.
func TestNamesAreUsedOnce(t *testing.T) {
	const goroutines, each = 8, 2000
	shared := newNames(randomGUID)
	used := make([][]string, goroutines)
	var all sync.WaitGroup
	for i := range used {
		all.Go(func() {
			for range each {
				guid, _ := shared.next()
				used[i] = append(used[i], guid)
			}
		})
	}
	all.Wait()
	names := slices.Concat(used...)
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != goroutines*each {
		t.Errorf("%d names, want %d", n, goroutines*each)
	}
}
