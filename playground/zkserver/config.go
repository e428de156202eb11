package zkserver

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrConfig: a [Config] that makes no sense; the text says which field.
var ErrConfig = errors.New("bad ZooKeeper configuration")

// The values of a [Config] whose fields are zero.
const (
	DefaultTickTime    = 100 * time.Millisecond
	DefaultMinSession  = 200 * time.Millisecond
	DefaultMaxSession  = 60 * time.Second
	DefaultBootTimeout = 30 * time.Second
)

// A Config says how to run a server. The zero value is a good default.
type Config struct {
	// Home is where ZooKeeper is installed; empty means wherever [Find] finds it.
	Home string
	// Dir keeps the data between runs, for one server at a time. It is made if
	// missing. Empty means a temporary directory, removed when the server stops.
	// ZooKeeper's own files, its snapshots and logs, are in data/version-2 below
	// it; a server starts with whatever it finds there.
	Dir string
	// Port is the client port on 127.0.0.1; 0 means a free one.
	Port int
	// TickTime is ZooKeeper's unit of time: sessions end up to one tick after
	// their timeout. At least 10 ms.
	TickTime time.Duration
	// MinSession and MaxSession bound the session timeouts that are granted.
	MinSession, MaxSession time.Duration
	// SuperPassword, unless it is empty, makes a client that authenticates as super:PASSWORD, by the
	// scheme digest, the superuser, whom no ACL binds.
	SuperPassword string
	// AdminServer also serves ZooKeeper's HTTP admin commands on a free port.
	AdminServer bool
	// JVM are the flags of the Java machine. The default has it start fast and
	// stay small, at the price of speed; an empty slice that is not nil leaves
	// everything to Java, as a server in production would.
	JVM []string
	// Conf, unless it is nil, makes files that take the place of ours, by their names
	// below Dir, such as conf/zoo.cfg: to try another configuration. That has to
	// keep to the directory and the ports that it is given; adminPort is 0 where there
	// is to be no admin server.
	Conf func(dataDir string, clientPort, adminPort int) map[string]string
	// Lines are further lines of zoo.cfg.
	Lines []string
	// BootTimeout bounds the time from the JVM's start to its first answer.
	BootTimeout time.Duration
	// Log receives what the server writes, warnings and errors only. It may be
	// nil, and must be safe to call from another goroutine.
	Log io.Writer
	// Notify is called when the server died, though not by [Server.Halt], and when
	// it is back. It may
	// be nil. It is called from the supervisor, which waits for it.
	Notify func(Change)
}

func (c Config) withDefaults() Config {
	c.TickTime = cmp.Or(c.TickTime, DefaultTickTime)
	c.MinSession = cmp.Or(c.MinSession, DefaultMinSession)
	c.MaxSession = cmp.Or(c.MaxSession, DefaultMaxSession)
	c.BootTimeout = cmp.Or(c.BootTimeout, DefaultBootTimeout)
	if c.JVM == nil {
		c.JVM = smallJVM
	}
	if c.Log == nil {
		c.Log = io.Discard
	}
	if c.Notify == nil {
		c.Notify = func(Change) {}
	}
	return c
}

// Validate reports, wrapping [ErrConfig], the first field that is out of range.
// Zero fields stand for their defaults.
func (c Config) Validate() error {
	c = c.withDefaults()
	switch {
	case c.Port < 0 || c.Port > 65535:
		return fmt.Errorf("%w: port %d is not in 0..65535", ErrConfig, c.Port)
	case c.TickTime < 10*time.Millisecond:
		return fmt.Errorf("%w: a tick of %v is shorter than 10ms", ErrConfig, c.TickTime)
	case c.MinSession < time.Millisecond:
		return fmt.Errorf("%w: a session of %v is shorter than 1ms", ErrConfig, c.MinSession)
	case c.MaxSession < c.MinSession:
		return fmt.Errorf("%w: sessions of at least %v and at most %v", ErrConfig, c.MinSession, c.MaxSession)
	case c.BootTimeout < 0:
		return fmt.Errorf("%w: a boot timeout of %v", ErrConfig, c.BootTimeout)
	}
	return nil
}
