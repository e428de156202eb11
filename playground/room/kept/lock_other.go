//go:build !unix

package kept

import "io"

// Lock locks nothing where the system has no such lock.
func Lock(string) (io.Closer, error) { return nil, nil }
