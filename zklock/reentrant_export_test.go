package zklock

// Owners returns how many owners are in the local queue, the holder included.
func (r *Reentrant) Owners() int {
	r.local.mu.Lock()
	defer r.local.mu.Unlock()
	return len(r.local.members)
}

// Users returns how many holds, and calls under way, there are.
func (r *Reentrant) Users() (n int) {
	r.local.mu.Lock()
	defer r.local.mu.Unlock()
	for _, s := range r.local.members {
		n += s.users
	}
	return n
}
