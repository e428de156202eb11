package redisserver

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrNoRedis: no redis-server was found. The text is one line that says what to do.
var ErrNoRedis = errors.New("no redis-server found: install it (apt-get install redis-server, or brew install redis), or use a running one with -redis host:port")

// brews are where Homebrew keeps programs, also where the PATH does not say so.
var brews = []string{"/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"}

// Find looks for redis-server on the PATH, given as getenv knows it, and in Homebrew.
func Find(getenv func(string) string) (program string, err error) {
	for _, dir := range append(filepath.SplitList(getenv("PATH")), brews...) {
		program := filepath.Join(dir, "redis-server")
		if info, err := os.Stat(program); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return program, nil
		}
	}
	return "", ErrNoRedis
}
