//go:build !linux

package event

import "os"

// createNameless makes a temporary file that has a name for a moment at most, where the
// system allows that.
func createNameless(dir, pattern string) (*os.File, error) { return createNamed(dir, pattern) }
