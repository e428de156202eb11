package web_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestMain looks for goroutines left behind. The clock of the lessons'
// highlighter is not ours: it ends by itself a second after its last use.
func TestMain(m *testing.M) {
	beReaders()
	zktest.Main(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
