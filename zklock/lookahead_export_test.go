package zklock

import "time"

// WithBreath sets how long a look-ahead waits, where it has the time.
func WithBreath(d time.Duration) Option { return func(c *lockConfig) { c.breath = d } }
