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

// Where a Python with kazoo is looked for, and that one who has none is told what to
// do. The programs true and false stand in for a Python with kazoo and one without.
func TestPythonWithKazoo(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "python3")
	for _, test := range []struct {
		name, variable string
		candidates     []string
		want           python // empty for an error
	}{
		{"none", "", []string{missing}, ""},
		{"without kazoo", "", []string{"false"}, ""},
		{"first with kazoo", "", []string{missing, "false", "true"}, "true"},
		{"named", "true", []string{missing}, "true"},
		{"named without kazoo", "false", []string{"true"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := pythonWithKazoo(t.Context(), test.variable, test.candidates)
			if got != test.want || (err == nil) != (test.want != "") {
				t.Fatalf("Python %q, error %v; want %q", got, err, test.want)
			}
			if err != nil && !errors.Is(err, errNoKazoo) {
				t.Errorf("error %v, want it to say what to install", err)
			}
		})
	}
}
