package check_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestPercentilesAreExactRanks: the p99 of n hand-overs is the one at rank
// n*99/100, rounded up, whatever the order that they came in.
func TestPercentilesAreExactRanks(t *testing.T) {
	for _, n := range []int{1, 2, 3, 50, 99, 100, 101, 150, 176, 199, 200, 201, 300, 1000, 1700} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := tell()
			for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) { // they last 101 to n+100 microseconds
				s.handedOver(int64(i) + 101)
			}
			got := s.checker.Summary().Lanes[0].HandoffMicros
			if p50, p99 := int64(100+(n*50+99)/100), int64(100+(n*99+99)/100); got.P50 != p50 || got.P99 != p99 {
				t.Errorf("p50 %d and p99 %d, want %d and %d", got.P50, got.P99, p50, p99)
			}
		})
	}
}

// TestPercentileDoesNotHideTwoOf176: the case that was seen.
func TestPercentileDoesNotHideTwoOf176(t *testing.T) {
	s := tell()
	for i := range 176 {
		took := int64(31_000)
		if i == 40 || i == 90 {
			took = 810_000
		}
		s.handedOver(took)
	}
	if got := s.checker.Summary().Lanes[0].HandoffMicros.P99; got < 810_000 || got > 811_000 {
		t.Errorf("p99 is %d, want 810000 to a thousandth", got)
	}
}

// handedOver tells of a hand-over to a waiting client that took so many
// microseconds, at least 10.
func (s *story) handedOver(took int64) {
	s.acquired(1, 0).lock(event.LockWaiting, 2).lock(event.LockReleased, 1)
	s.pass(took - 10)
	s.acquired(2, 1).lock(event.LockReleased, 2)
}
