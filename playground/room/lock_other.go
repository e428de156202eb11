//go:build !unix

package room

import "io"

// lockDirectory locks nothing where the system has no such lock.
func lockDirectory(string) (io.Closer, error) { return nil, nil }
