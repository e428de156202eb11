package zkserver

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/internal/child"
)

// portsPerNode: for clients, the admin server, the quorum and elections.
const portsPerNode = 4

// peerJVM keeps three servers as small as one.
var peerJVM = []string{"-Xmx96m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}

// startPeers starts n servers that form an ensemble.
func startPeers(ctx context.Context, config Config, n int) ([]*Server, error) {
	if config.JVM == nil {
		config.JVM = peerJVM
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	install, err := Find(config.Home)
	if err != nil {
		return nil, err
	}
	servers, err := newPeers(config, install, n)
	if err == nil {
		err = bootPeers(ctx, servers)
	}
	if err != nil {
		return nil, errors.Join(err, each(servers, func(s *Server) error { return s.dir.close() }))
	}
	for _, server := range servers {
		server.keep(ctx)
	}
	return servers, nil
}

// newPeers takes the directories of n servers. On failure it returns those
// that it has taken.
func newPeers(config Config, install Installation, n int) ([]*Server, error) {
	var servers []*Server
	for id := 1; id <= n; id++ {
		own := config
		if config.Dir != "" {
			own.Dir = filepath.Join(config.Dir, strconv.Itoa(id))
		}
		server, err := newServer(own, install)
		if err != nil {
			return servers, err
		}
		server.id = id
		servers = append(servers, server)
	}
	return servers, nil
}

// bootPeers boots the servers for the first time, and again on other ports if
// another program takes one before a server does.
func bootPeers(ctx context.Context, servers []*Server) error {
	var err error
	for range bootTries {
		if err = choosePeerPorts(servers); err != nil {
			return err
		}
		if err = bootTogether(ctx, servers); !errors.Is(err, ErrPortTaken) {
			return err
		}
	}
	return err
}

func choosePeerPorts(servers []*Server) error {
	ports, err := child.FreePorts(portsPerNode * len(servers))
	if err != nil {
		return err
	}
	var peers []peer
	for i, server := range servers {
		own := ports[portsPerNode*i:]
		server.clientPort = own[0]
		if server.config.AdminServer {
			server.adminPort = own[1]
		}
		peers = append(peers, peer{id: server.id, quorumPort: own[2], electionPort: own[3]})
	}
	for _, server := range servers {
		server.peers = peers
	}
	return nil
}

// bootTogether boots all at the same time, as none serves before a majority is
// up. On failure nothing is left running.
func bootTogether(ctx context.Context, servers []*Server) error {
	booting, together := errgroup.WithContext(ctx)
	for _, server := range servers {
		booting.Go(func() error { return server.boot(together) })
	}
	err := booting.Wait()
	if err == nil {
		return nil
	}
	for _, server := range servers {
		if jvm := server.life(); jvm != nil { // this one was up
			jvm.Kill()
		}
	}
	return err
}
