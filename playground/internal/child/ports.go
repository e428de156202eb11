package child

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

var (
	// ErrNoPort: no free port was found on the loopback address.
	ErrNoPort = errors.New("no free port")
	// ErrPortTaken: somebody else listens at a port that the server needs.
	ErrPortTaken = errors.New("port taken, choose another or stop what listens there")
)

// Ports are taken below the range from which systems number outgoing
// connections (32768 on Linux, 49152 on macOS). In it, a client that redials a
// dead server's port can be given that port as its own, reach itself, and keep
// the server from coming back.
const (
	firstPort = 20000
	lastPort  = 32000
	portTries = 100
)

// FreePorts picks n different ports that are free now. Somebody may still take
// one before the server does.
func FreePorts(n int) ([]int, error) {
	var ports []int
	var held []net.Listener
	defer func() { closeAll(held) }()
	for range portTries {
		if len(ports) == n {
			return ports, nil
		}
		port := firstPort + rand.IntN(lastPort-firstPort)
		listener, err := net.Listen("tcp", HostPort(port))
		if err != nil {
			continue // taken: try another
		}
		held, ports = append(held, listener), append(ports, port)
	}
	return nil, fmt.Errorf("%w between %d and %d", ErrNoPort, firstPort, lastPort)
}

// CheckFree reports whether nobody listens at a port now.
func CheckFree(port int) error {
	listener, err := net.Listen("tcp", HostPort(port))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPortTaken, err)
	}
	return listener.Close()
}

func closeAll(listeners []net.Listener) {
	for _, listener := range listeners {
		listener.Close()
	}
}

// Loopback is the only address on which a child listens.
const Loopback = "127.0.0.1"

// HostPort is a port on the loopback address, as host:port.
func HostPort(port int) string { return net.JoinHostPort(Loopback, strconv.Itoa(port)) }
