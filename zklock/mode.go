package zklock

// A Mode says how a lock is held.
type Mode string

// The modes. Locks other than [RWMutex] are always held in ModeWrite.
const (
	ModeRead  Mode = "read"
	ModeWrite Mode = "write"
)
