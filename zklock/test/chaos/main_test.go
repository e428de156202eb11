package chaos_test

import (
	"os"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(childServers) != "" {
		os.Exit(child())
	}
	zktest.Main(m)
}
