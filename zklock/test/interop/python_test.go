package interop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// pythonSources is the folder of the Python programs.
	pythonSources = "python"
	// pythonVariable names a Python that has kazoo.
	pythonVariable = "KAZOO_PYTHON"
)

// pythons are where a Python with kazoo is looked for. Debian's packages are seen
// by Debian's Python alone, which need not be the first on the path.
var pythons = []string{"python3", "/usr/bin/python3"}

var errNoKazoo = errors.New("no Python with kazoo found: run make interop, or apt-get install python3-kazoo, or pip install kazoo in a virtual environment and name its python in " + pythonVariable)

// python is the path of a Python that has kazoo.
type python string

// findPython fails t where there is no Python with kazoo.
func findPython(t *testing.T) python {
	t.Helper()
	found, err := pythonWithKazoo(t.Context(), os.Getenv(pythonVariable), pythons)
	if err != nil {
		t.Fatalf("interop: these tests need Python 3 and kazoo: %v", err)
	}
	return found
}

// pythonWithKazoo returns the first of the candidates that can import kazoo's
// locks. One that was named is the only candidate.
func pythonWithKazoo(ctx context.Context, named string, candidates []string) (python, error) {
	if named != "" {
		candidates = []string{named}
	}
	err := errNoKazoo
	for _, candidate := range candidates {
		output, failure := exec.CommandContext(ctx, candidate, "-c", "import kazoo.recipe.lock").CombinedOutput()
		if failure == nil {
			return python(candidate), nil
		}
		err = fmt.Errorf("%w (%s: %w %s)", err, candidate, failure, lastLine(output))
	}
	return "", err
}

// lastLine returns what is wrong, of what Python writes when a program fails.
func lastLine(output []byte) []byte {
	output = bytes.TrimSpace(output)
	return output[bytes.LastIndexByte(output, '\n')+1:]
}

// readersWait reports whether a ReadLock waits for writers that came after it.
func (p python) readersWait(ctx context.Context) (bool, error) {
	said, err := exec.CommandContext(ctx, string(p), "-c", "import kazoo; print([int(n) for n in kazoo.__version__.split('.')[:2]] < [2, 9])").Output()
	return strings.TrimSpace(string(said)) == "True", err
}

// start runs a program. Python leaves no compiled files beside it.
func (p python) start(ctx context.Context, program string, args ...string) (*child, error) {
	flags := []string{"-B", filepath.Join(pythonSources, program)}
	return startChild(ctx, program, string(p), append(flags, args...)...)
}
