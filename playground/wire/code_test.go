package wire_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
)

func TestCodeNames(t *testing.T) {
	tests := []struct {
		code wire.Code
		want string
	}{
		{wire.OK, ""},
		{-101, "NoNode"},
		{-110, "NodeExists"},
		{-111, "NotEmpty"},
		{-2, "RuntimeInconsistency"},
		{-123, "ReconfigDisabled"},
		{-999, "code -999"},
		{7, "code 7"},
	}
	for _, tt := range tests {
		if got := tt.code.String(); got != tt.want {
			t.Errorf("Code(%d).String() = %q, want %q", int32(tt.code), got, tt.want)
		}
	}
}

func TestCodeIsAnError(t *testing.T) {
	err := fmt.Errorf("delete /a: %w", wire.NoNode)
	if !errors.Is(err, wire.NoNode) || errors.Is(err, wire.NodeExists) {
		t.Errorf("%v: errors.Is does not tell the codes apart", err)
	}
	if want := "delete /a: zookeeper: NoNode"; err.Error() != want {
		t.Errorf("error text %q, want %q", err, want)
	}
}
