package zklock

import "time"

// WithOwnDelay sets how long a place may be unwatched by its owner, on which it
// depends which waits are short, and what is believed of an heir: a test would
// else depend on the machine's speed.
func WithOwnDelay(d time.Duration) Option {
	return func(c *lockConfig) { c.delay, c.heirTime = d, d }
}

// ForgoHeirs has the session's locks wait for no heirs.
func (s *Session) ForgoHeirs() { s.heirless.Store(true) }
