package lessons_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

func TestFillOwn(t *testing.T) {
	own := []string{"/lock/lock-0000000003", "/lock/__WRIT__0000000005", "/lock/__WRIT__0000000009", "/lock/__WRIT__x", "/desk/lock-0000000012"}
	for _, c := range []struct{ line, want string }{
		{"delete /lock/__WRIT__{last}", "delete /lock/__WRIT__0000000009"},
		{"get -w /lock/__WRIT__{last but one}", "get -w /lock/__WRIT__0000000005"},
		{"create -e /lock/__READ__{last}", "create -e /lock/__READ__0000000009"},
		{"get /lock/lock-{last but one}", ""},
		{"get /locks/lock-{last}", ""},
		{"ls /lock", "ls /lock"},
	} {
		if got, ok := lessons.FillOwn(c.line, own); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s is filled as %q, %t, want %q", c.line, got, ok, c.want)
		}
	}
}
