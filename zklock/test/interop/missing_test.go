package interop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// Where Curator is looked for, and that one who has none is told what to do.
func TestCuratorJars(t *testing.T) {
	t.Parallel()
	none, some := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(some, "curator-recipes.jar"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, dir, variable string
		first               string // of the class path
		err                 error
	}{
		{"none", none, "", "", errNoCurator},
		{"packaged", some, "", filepath.Join(some, "curator-recipes.jar"), nil},
		{"named", none, "/opt/curator.jar", "/opt/curator.jar", nil},
		{"named wins", some, "/opt/curator.jar", "/opt/curator.jar", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			getenv := func(string) string { return test.variable }
			got, err := curatorJars(zkserver.Environment{Getenv: getenv, DebianJars: test.dir})
			first, _, _ := strings.Cut(got, string(os.PathListSeparator))
			if first != test.first || !errors.Is(err, test.err) {
				t.Errorf("class path %q, error %v; want %q first, and %v", got, err, test.first, test.err)
			}
		})
	}
}
