package interop

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }
