package client

import "sync"

// A gate stops a client's own code where it passes, as a pause of its process
// does. What is done between enter and exit is done before it shuts or after it
// opens, never meanwhile: it must not take long. The zero gate is open. Its
// methods are safe for concurrent use.
type gate struct {
	acts sync.RWMutex  // read-locked between enter and exit
	shut chan struct{} // closed when the gate opens again; nil while it is open
}

// close returns when nobody is between enter and exit. It is idempotent, as
// open is.
func (g *gate) close() {
	g.acts.Lock()
	defer g.acts.Unlock()
	if g.shut == nil {
		g.shut = make(chan struct{})
	}
}

func (g *gate) open() {
	g.acts.Lock()
	defer g.acts.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

// enter waits until the gate is open, and says whether it was shut before. The
// gate stays open until exit, so nobody enters twice.
func (g *gate) enter() (waited bool) {
	for {
		g.acts.RLock()
		shut := g.shut
		if shut == nil {
			return waited
		}
		g.acts.RUnlock()
		<-shut
		waited = true
	}
}

func (g *gate) exit() { g.acts.RUnlock() }

// pass returns when the gate is open, and says whether it was shut before.
func (g *gate) pass() bool {
	defer g.exit()
	return g.enter()
}
