// Package onlyhost tells a client of go-zookeeper which server there is.
package onlyhost

import (
	"errors"
	"net"
	"sync"
)

// A Provider gives the address of the only server at once. The library's own provider
// waits a second before it returns to that. The zero value is ready to use.
type Provider struct {
	mu      sync.Mutex
	address string
}

// Init takes the address, which names a host by number.
func (p *Provider) Init(servers []string) error {
	if len(servers) != 1 {
		return errors.New("want one server")
	}
	if _, _, err := net.SplitHostPort(servers[0]); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = servers[0]
	return nil
}

// Len is the number of servers.
func (p *Provider) Len() int { return 1 }

// Next returns the server, and that the client need not wait before it dials.
func (p *Provider) Next() (server string, retryStart bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.address, false
}

// Connected does nothing: there is no order to keep.
func (p *Provider) Connected() {}
