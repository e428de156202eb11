package zklock

import (
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"
)

// The session timeouts that can be asked for: the protocol has 32 bits for a
// number of milliseconds, and go-zookeeper closes a connection at once for 0.
const (
	minTimeout = time.Millisecond
	maxTimeout = math.MaxInt32 * time.Millisecond
)

// minBuffer is the least size of a buffer: the locks' own requests, and the
// answers to them, take up to 200 bytes for the shortest path. With less than
// 16, go-zookeeper panics.
const minBuffer = 256

// checkDial refuses what no session can be made with.
func checkDial(servers []string, timeout time.Duration, config dialConfig) error {
	if timeout < minTimeout || timeout > maxTimeout {
		return fmt.Errorf("%w: the timeout %v is not from %v to %v", ErrArguments, timeout, minTimeout, maxTimeout)
	}
	if least := min(config.receive, config.send); least < minBuffer {
		return fmt.Errorf("%w: a buffer of %d bytes, the least is %d", ErrArguments, least, minBuffer)
	}
	return checkServers(servers, config.dialer == nil)
}

// checkServers looks at more than that there are some only where they are to be
// dialed by TCP: a dialer of the caller's may understand other addresses.
func checkServers(servers []string, tcp bool) error {
	if len(servers) == 0 {
		return fmt.Errorf("%w: there are no servers", ErrArguments)
	}
	for i, address := range zk.FormatServers(servers) {
		if servers[i] == "" || tcp && !dialable(address) {
			return fmt.Errorf("%w: the server %q is not host:port, without scheme and chroot", ErrArguments, servers[i])
		}
	}
	return nil
}

// dialable reports whether an address can be dialed, given that its names can
// be looked up. A scheme and a chroot have a slash, which no name has.
func dialable(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" || strings.ContainsAny(host+port, "/, \t\r\n") {
		return false
	}
	number, err := strconv.Atoi(port)
	return err != nil || number >= 1 && number <= math.MaxUint16
}
