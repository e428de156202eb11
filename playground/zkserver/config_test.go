package zkserver_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

func TestConfigValidate(t *testing.T) {
	tests := []struct {
		name   string
		config zkserver.Config
		ok     bool
	}{
		{"zero", zkserver.Config{}, true},
		{"all given", zkserver.Config{Port: 2181, TickTime: time.Second, MinSession: time.Second, MaxSession: time.Minute, BootTimeout: time.Second}, true},
		{"negative port", zkserver.Config{Port: -1}, false},
		{"port too high", zkserver.Config{Port: 65536}, false},
		{"short tick", zkserver.Config{TickTime: time.Millisecond}, false},
		{"negative tick", zkserver.Config{TickTime: -time.Second}, false},
		{"short session", zkserver.Config{MinSession: time.Microsecond}, false},
		{"longest session below the shortest", zkserver.Config{MinSession: time.Minute, MaxSession: time.Second}, false},
		{"longest session below the default shortest", zkserver.Config{MaxSession: time.Millisecond}, false},
		{"negative boot timeout", zkserver.Config{BootTimeout: -1}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.config.Validate()
			if test.ok && err != nil || !test.ok && !errors.Is(err, zkserver.ErrConfig) {
				t.Errorf("Validate = %v, want ok = %v", err, test.ok)
			}
		})
	}
}
