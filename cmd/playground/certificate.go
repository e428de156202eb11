package main

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A certificate is read from two files, and anew when they have changed: certificates
// are renewed while the playground runs.
type certificate struct {
	file, keyFile string
	log           *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	tried   [2]fileVersion // the files that were read last, in vain or not
}

// A fileVersion tells a file from what it was before.
type fileVersion struct {
	written time.Time
	size    int64
}

// openCertificate reads a certificate, which has to be good the first time.
func openCertificate(file, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{file: file, keyFile: keyFile, log: log}
	changed, err := c.changed()
	if err != nil {
		return nil, err
	}
	return c, c.read(changed)
}

// get returns the certificate as it is now; of files that cannot be read, or do not fit
// together yet, the last that could be.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if changed, err := c.changed(); err == nil && changed != c.tried {
		if err := c.read(changed); err != nil {
			c.log.Warn("the certificate has changed and cannot be read; the one before is used on", "error", err)
		}
	}
	return c.current, nil
}

func (c *certificate) read(changed [2]fileVersion) error {
	c.tried = changed
	pair, err := tls.LoadX509KeyPair(c.file, c.keyFile)
	if err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}
	c.current = &pair
	return nil
}

func (c *certificate) changed() (files [2]fileVersion, err error) {
	for i, name := range []string{c.file, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return files, fmt.Errorf("read the certificate: %w", err)
		}
		files[i] = fileVersion{info.ModTime(), info.Size()}
	}
	return files, nil
}
