package sim

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestFaultValidation(t *testing.T) {
	tests := []struct {
		name  string
		fault Fault
		is    error
		want  string
	}{
		{"crash", Fault{Name: Crash, Client: 1}, nil, ""},
		{"unknown", Fault{Name: "flood"}, ErrUnknownFault, `unknown fault "flood", there are [`},
		{"a length where none is taken", Fault{Name: Crash, For: time.Second}, ErrFault, "crash takes no"},
		{"a delay where none is taken", Fault{Name: Expire, Delay: time.Second}, ErrFault, "expire takes no delay"},
		{"an op where none is taken", Fault{Name: Crash, Op: "create"}, ErrFault, "crash takes no op"},
		{"servers", Fault{Name: LoseQuorum, For: time.Second}, nil, ""},
		{"servers for ever", Fault{Name: KillLeader}, nil, ""},
		{"a length out of range", Fault{Name: KillLeader, For: 2 * time.Hour}, ErrFault, "for is 2h0m0s"},
		{"a negative length", Fault{Name: KillLeader, For: -1}, ErrFault, "for is -1ns"},
		{"restart with a length", Fault{Name: Restart, For: 1}, ErrFault, "restart takes no"},
		{"a client of the servers", Fault{Name: Restart, Client: 1}, ErrFault, "leave out client"},
		{"a lane of the servers", Fault{Name: Restart, Lane: "a"}, ErrFault, "leave out client"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.fault.validate(time.Second)
			if !errors.Is(err, test.is) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %v with %q", err, test.is, test.want)
			}
		})
	}
}

func TestSlowIsBounded(t *testing.T) {
	tests := []struct {
		delay, jitter time.Duration
		good          bool
	}{
		{time.Second, 0, true}, {0, time.Second, true}, {500 * time.Millisecond, 500 * time.Millisecond, true},
		{0, 0, false}, {time.Second, 1, false}, {-1, 1, false}, {1, -1, false}, {2 * time.Second, 0, false}, {1 << 62, 1 << 62, false},
	}
	for _, test := range tests {
		err := Fault{Name: Slow, Delay: test.delay, Jitter: test.jitter}.validateDelay(time.Second)
		if (err == nil) != test.good {
			t.Errorf("delay %v, jitter %v: %v", test.delay, test.jitter, err)
		}
	}
}

func TestLoseReplyKnowsItsOps(t *testing.T) {
	for op, good := range map[string]bool{"": true, "create": true, "delete": true, "getData": false} {
		if err := (Fault{Name: LoseReply, Op: op}).validateOp(); (err == nil) != good {
			t.Errorf("op %q: %v", op, err)
		}
	}
}
