//go:build !linux

package disk

import "os"

// Temporary makes a temporary file that has a name for a moment at most, where the
// system allows that.
func Temporary(dir, pattern string) (*os.File, error) { return createNamed(dir, pattern) }
