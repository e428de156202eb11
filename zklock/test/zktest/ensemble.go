package zktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// members is how many servers an ensemble has.
const members = 3

// An Ensemble is three servers with the limits of ZooKeeper's sample configuration. A
// server can be cut off from the others, though not from its clients.
type Ensemble struct {
	*zkserver.Ensemble
	dir     string
	links   map[[2]int][]*link // by the places of who dials and who is dialed
	secured [members]int       // the ports for TLS, with -secure tls
	done    sync.WaitGroup     // the links' goroutines
}

// StartEnsemble returns an ensemble with the given tick, stopped when tb ends.
func StartEnsemble(tb testing.TB, tick time.Duration) *Ensemble {
	tb.Helper()
	return startEnsemble(tb, tick, (*Ensemble).newLink)
}

// StartUncuttable is [StartEnsemble] without links: no server can be cut off, and one that
// is down refuses connections, as on a network. So a leader is elected sooner.
func StartUncuttable(tb testing.TB, tick time.Duration) *Ensemble {
	tb.Helper()
	return startEnsemble(tb, tick, nil)
}

func startEnsemble(tb testing.TB, tick time.Duration, newLink func(*Ensemble, int) (*link, error)) *Ensemble {
	tb.Helper()
	e := &Ensemble{dir: tb.TempDir(), links: make(map[[2]int][]*link)}
	tb.Cleanup(e.closeLinks)
	confs, err := e.configure(tick, newLink)
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	e.Ensemble, err = zkserver.StartEnsemble(context.Background(), zkserver.Config{
		Dir: e.dir, BootTimeout: bootTimeout,
		Conf: func(dataDir string, clientPort, _ int) map[string]string {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(dataDir))) // a server's directory is its id
			return map[string]string{
				filepath.Join("conf", "zoo.cfg"): fmt.Sprintf("%sdataDir=%s\nclientPort=%d\n", confs[id-1], dataDir, clientPort),
			}
		},
	}, members)
	if err != nil {
		tb.Fatal("zktest: these tests need a real ZooKeeper: ", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		if err := e.Stop(ctx); err != nil {
			tb.Error("zktest: stop ZooKeeper: ", err)
		}
	})
	return e
}

// configure returns what is in each server's zoo.cfg but for its directory and its
// port for clients. A server reaches each other one by links, if there is to be any.
func (e *Ensemble) configure(tick time.Duration, newLink func(*Ensemble, int) (*link, error)) (confs [members]string, err error) {
	var ports [members][2]int // for the quorum and for elections
	for i := range members {
		for kind := range ports[i] {
			if ports[i][kind], err = freePort(); err != nil {
				return confs, err
			}
		}
	}
	for from := range members {
		conf := []string{
			fmt.Sprintf("tickTime=%d", tick.Milliseconds()), "initLimit=10", "syncLimit=5", "clientPortAddress=127.0.0.1",
			"maxClientCnxns=0", "forceSync=no", "preAllocSize=1024", "admin.enableServer=false", "4lw.commands.whitelist=*",
		}
		if Secure(TLS) {
			if e.secured[from], err = freePort(); err != nil {
				return confs, err
			}
			lines, err := secureLines(e.secured[from])
			if err != nil {
				return confs, err
			}
			conf = append(conf, lines...)
		}
		for to, seen := range ports {
			for kind, port := range seen {
				if from == to || newLink == nil {
					continue
				}
				link, err := newLink(e, port)
				if err != nil {
					return confs, err
				}
				e.links[[2]int{from, to}] = append(e.links[[2]int{from, to}], link)
				seen[kind] = link.port()
			}
			conf = append(conf, fmt.Sprintf("server.%d=127.0.0.1:%d:%d", to+1, seen[0], seen[1]))
		}
		confs[from] = strings.Join(conf, "\n") + "\n"
	}
	return confs, nil
}

// Addresses returns the servers' host:port, for [Dial].
func (e *Ensemble) Addresses() []string {
	if !Secure(TLS) {
		return e.Ensemble.Addresses()
	}
	var all []string
	for _, port := range e.secured {
		all = append(all, secureAddress(port))
	}
	return all
}

// freePort returns a port that was free a moment ago.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}

// Part has nothing pass any more between a server and the others, as if their
// network had swallowed it.
func (e *Ensemble) Part(server int) {
	e.eachLink(server, func(l *link) { l.parted.Store(true) })
}

// Rejoin undoes [Ensemble.Part]. What was sent meanwhile is lost, so the servers connect
// anew.
func (e *Ensemble) Rejoin(server int) {
	e.eachLink(server, func(l *link) {
		l.parted.Store(false)
		l.cut()
	})
}

// Lag has all that a server and the others send each other take so much longer.
func (e *Ensemble) Lag(server int, delay time.Duration) {
	e.eachLink(server, func(l *link) { l.delay.Store(int64(delay)) })
}

// eachLink calls do for the links between a server and the others.
func (e *Ensemble) eachLink(server int, do func(*link)) {
	for ends, links := range e.links {
		if ends[0] == server || ends[1] == server {
			for _, link := range links {
				do(link)
			}
		}
	}
}

// Follower returns the place of a server that does not lead.
func (e *Ensemble) Follower(tb testing.TB) int {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), bootTimeout)
	defer cancel()
	leader, err := e.Leader(ctx)
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	return (leader + 1) % members
}

func (e *Ensemble) closeLinks() {
	for _, links := range e.links {
		for _, link := range links {
			link.close()
		}
	}
	e.done.Wait()
}

// A link carries connections to a port.
type link struct {
	net.Listener
	target string
	parted atomic.Bool
	delay  atomic.Int64 // of what passes

	mu    sync.Mutex
	conns []net.Conn
	ended bool
}

func (e *Ensemble) newLink(port int) (*link, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &link{Listener: listener, target: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	e.done.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", l.target)
			if err != nil || !l.own(near, far) {
				near.Close()
				continue
			}
			e.done.Go(func() { l.carry(near, far) })
			e.done.Go(func() { l.carry(far, near) })
		}
	})
	return l, nil
}

func (l *link) port() int { return l.Addr().(*net.TCPAddr).Port }

// own has connections closed with the link, or at once, when it reports false.
func (l *link) own(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		for _, conn := range conns {
			conn.Close()
		}
	}
	l.conns = append(l.conns, conns...)
	return !l.ended
}

func (l *link) close() {
	l.Listener.Close()
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.cut()
}

// cut closes the connections.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.conns {
		conn.Close()
	}
	l.conns = nil
}

// carry passes on what one side sends, or drops it. That a side has hung up is not
// told across a parted link either.
func (l *link) carry(from, to net.Conn) {
	_, err := io.Copy(passer{l, to}, from)
	if !l.parted.Load() || errors.Is(err, net.ErrClosed) {
		to.Close()
	}
}

// A passer is a connection to which nothing passes while its link is parted, and late while
// it lags.
type passer struct {
	*link
	net.Conn
}

func (p passer) Write(b []byte) (int, error) {
	if p.parted.Load() {
		return len(b), nil
	}
	time.Sleep(time.Duration(p.delay.Load()))
	return p.Conn.Write(b)
}
