package console

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// TestHelp: help lists what a console does and nothing that it refuses, and what is no
// command is said once.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"help", "?"} {
		usages, why := help(zkcli.Tokens(line))
		var listed []string
		for _, usage := range usages {
			listed = append(listed, strings.Fields(usage)[0])
		}
		wanted := slices.DeleteFunc(zkcli.Commands(), func(name string) bool { return refusals[name] != "" })
		if why != "" || !slices.Equal(listed, wanted) {
			t.Errorf("%s: %q, %q", line, listed, why)
		}
	}
	for line, want := range map[string]string{
		"help create": "create [-s] [-e] [-c] [-t ttl] path [data] [acl]", "? quit": "quit",
		"help reconfig": "all rooms share", "help foo": "Command not found: foo (type help)", "foo /a": "Command not found: foo (type help)",
	} {
		usages, why := help(zkcli.Tokens(line))
		if got := strings.Join(usages, "|") + why; !strings.Contains(got, want) || strings.Count(got, "not found") > 1 {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
