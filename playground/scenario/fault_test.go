package scenario_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestFaultValidation(t *testing.T) {
	tests := []struct {
		name  string
		fault scenario.Fault
		is    error
		want  string
	}{
		{"crash", scenario.Fault{Name: "crash", Client: 1}, nil, ""},
		{"unknown", scenario.Fault{Name: "flood"}, scenario.ErrUnknownFault, `unknown fault "flood", there are [`},
		{"a length where none is taken", scenario.Fault{Name: "crash", Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, scenario.ErrFault, "crash takes no"},
		{"a delay where none is taken", scenario.Fault{Name: "expire", Parameters: scenario.Parameters{Delay: scenario.Duration(time.Second)}}, scenario.ErrFault, "expire takes no delay"},
		{"an op where none is taken", scenario.Fault{Name: "crash", Parameters: scenario.Parameters{Op: "create"}}, scenario.ErrFault, "crash takes no op"},
		{"now", scenario.Fault{Name: "crash", Client: 1, When: "now"}, nil, ""},
		{"at a moment", scenario.Fault{Name: "pause", When: "create", Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, nil, ""},
		{"at a moment that is none", scenario.Fault{Name: "pause", When: "noon"}, scenario.ErrFault, `when is "noon", must be one of now, hold, wait, create`},
		{"a moment where none is taken", scenario.Fault{Name: "heal", When: "hold"}, scenario.ErrFault, "heal takes no when"},
		{"a moment of the servers", scenario.Fault{Name: "restart", When: "hold"}, scenario.ErrFault, "restart takes no when"},
		{"servers", scenario.Fault{Name: "lose-quorum", Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, nil, ""},
		{"servers for ever", scenario.Fault{Name: "kill-leader"}, nil, ""},
		{"a length out of range", scenario.Fault{Name: "kill-leader", Parameters: scenario.Parameters{For: scenario.Duration(2 * time.Hour)}}, scenario.ErrFault, "for is 2h0m0s"},
		{"a negative length", scenario.Fault{Name: "kill-leader", Parameters: scenario.Parameters{For: -1}}, scenario.ErrFault, "for is -1ns"},
		{"restart with a length", scenario.Fault{Name: "restart", Parameters: scenario.Parameters{For: 1}}, scenario.ErrFault, "restart takes no"},
		{"a client of the servers", scenario.Fault{Name: "restart", Client: 1}, scenario.ErrFault, "leave out client"},
		{"a lane of the servers", scenario.Fault{Name: "restart", Lane: "a"}, scenario.ErrFault, "leave out client"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.fault.Validate(run.Catalogue(), time.Second)
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
		err := scenario.Fault{Name: "slow", Parameters: scenario.Parameters{Delay: scenario.Duration(test.delay), Jitter: scenario.Duration(test.jitter)}}.Validate(run.Catalogue(), time.Second)
		if (err == nil) != test.good {
			t.Errorf("delay %v, jitter %v: %v", test.delay, test.jitter, err)
		}
	}
}

func TestLoseReplyKnowsItsOps(t *testing.T) {
	for op, good := range map[string]bool{"": true, "create": true, "delete": true, "getData": false} {
		if err := (scenario.Fault{Name: "lose-reply", Client: 1, Parameters: scenario.Parameters{Op: op}}).Validate(run.Catalogue(), time.Second); (err == nil) != good {
			t.Errorf("op %q: %v", op, err)
		}
	}
}
