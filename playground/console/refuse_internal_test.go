package console

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// TestRefusals: what has no place in a room is refused with a reason, and what takes
// away what others need is done the second time.
func TestRefusals(t *testing.T) {
	t.Parallel()
	g := &guard{keep: []string{"/lock", "/deep/er/lock"}}
	for _, test := range []struct{ line, want string }{
		{"ls /", ""},
		{"reconfig -add x", "all rooms share"},
		{"setquota -n 5 /a", "outside of this room"},
		{"listquota /a", "outside of this room"},
		{"delquota /a", "outside of this room"},
		{"connect", ""},
		{"connect other:2181", "nothing else"},
		{"addauth digest me:pw", ""},
		{"addauth digest super:pw", "operator"},
		{"addauth super pw", "operator"},
		{"delete /lock/lock-1", ""},
		{"deleteall /lockx", ""},
		{"deleteall /", "mean it"},
		{"deleteall /", ""},
		{"deleteall /", "mean it"},
		{"rmr /lock", "mean it"},
		{"ls /", ""},
		{"rmr /lock", "mean it"},
		{"delete -v 0 /lock", "mean it"},
		{"delete -v 0 /lock", ""},
		{"deleteall /deep", "mean it"},
	} {
		if got := g.refuse(zkcli.Tokens(test.line)); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
	}
}
