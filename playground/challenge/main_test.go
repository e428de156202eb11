package challenge_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }
