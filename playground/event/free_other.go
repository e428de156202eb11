//go:build !linux && !darwin

package event

// freeBytes is how much room the disk of a directory has for us; ok is false when
// that cannot be told.
func freeBytes(string) (free int64, ok bool) { return 0, false }
