package zklock

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
)

// What go-zookeeper makes of numbers that it does not know.
func TestAnswered(t *testing.T) {
	for text, want := range map[string]bool{
		"unknown error: -6":   true,  // not implemented
		"unknown error: -125": true,  // quota
		"unknown error: -122": false, // timed out
		"unknown error: -127": false, // throttled
		"unknown error: -4":   false,
		"unknown error: 125":  false,
		"unknown error: -":    false,
		"broken pipe":         false,
	} {
		if got := answered(errors.New(text)); got != want {
			t.Errorf("answered(%q) = %v", text, got)
		}
	}
	if !answered(zk.ErrNoNode) || answered(zk.ErrConnectionClosed) || answered(nil) {
		t.Error("the client's own errors are mistaken")
	}
}
