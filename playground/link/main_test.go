package link_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) {
	if !actAsProcess() {
		zktest.Main(m)
	}
}
