package sim

import "context"

// common is what all clients of a run share.
type common struct {
	config   Config
	recorder *recorder
	dial     *dialLimit
	stepper  *stepper
	grace    context.Context    // ends when there is no time left to finish a turn
	accounts map[string]account // by lane; not every lane has one
}
