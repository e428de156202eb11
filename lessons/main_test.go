package lessons_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain looks for goroutines left behind. The clock of the highlighter's
// regular expressions is not ours: it ends by itself a second after its last use.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
