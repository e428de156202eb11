package guests

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

// ErrNoRun: there is no run that a guest could join.
var ErrNoRun = errors.New("no run is under way that a guest could join, start one first")

// A room lets so many connections in at once, and then so many in a second.
const (
	connectionsAtOnce    = 50
	connectionsPerSecond = 10
)

// A Config is what a [Server] needs.
type Config struct {
	// Address is the host and port of the room "main"; port 0 gives each room any port.
	Address string
	// Limits are what one guest may take.
	Limits room.GuestLimits
	// Log gets what no run's log can have.
	Log *slog.Logger
}

// A Server has the ports of all places. Its methods are safe for concurrent use.
type Server struct {
	config Config
	// zooKeeper and newest are those of Use.
	zooKeeper func() event.Server
	newest    func(ctx context.Context) (int64, error)
	host      string
	first     int
	sessions  *chroot.Sessions
	metrics   *metrics
	life      context.Context
	end       context.CancelFunc
	serving   sync.WaitGroup

	mu    sync.Mutex
	main  net.Listener // until the room has it
	doors map[string]*door
	ports map[int]bool // that rooms have
}

// New returns a server that has the port of the place "main" already, listening at
// Config.Address. Use must follow, before the first Open.
func New(main net.Listener, config Config) *Server {
	host, _, _ := net.SplitHostPort(config.Address) // it has been listened to
	first := 0
	if !strings.HasSuffix(config.Address, ":0") {
		first = port(main)
	}
	s := &Server{config: config, host: host, first: first, main: main, sessions: chroot.NewSessions(), metrics: newMetrics(),
		doors: make(map[string]*door), ports: make(map[int]bool)}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Use says which ZooKeeper the guests come to: zooKeeper returns the server that answers now,
// and newest its newest transaction, as chroot.ConnConfig has it.
func (s *Server) Use(zooKeeper func() event.Server, newest func(ctx context.Context) (int64, error)) {
	s.zooKeeper, s.newest = zooKeeper, newest
}

func (s *Server) listen(port int) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(s.life, "tcp", net.JoinHostPort(s.host, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listen for guests: %w", err)
	}
	return listener, nil
}

// Sessions are those of all guests, so that no other participant of a run can have them.
func (s *Server) Sessions() *chroot.Sessions { return s.sessions }

// Open gives a place a port, until it has gone or the server is closed. A place for which
// there is none takes no guests.
func (s *Server) Open(p Place) {
	listener, err := s.take(p.Name())
	if err != nil {
		s.config.Log.Warn("a room takes no guests", "room", p.Name(), "error", err)
		return
	}
	d := &door{server: s, place: p, listener: listener, names: make(map[string]*name)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		listener.Close()
		return
	}
	s.doors[p.Name()] = d
	s.serving.Go(func() {
		ctx, cancel := context.WithCancel(s.life)
		defer cancel()
		s.serving.Go(func() {
			select {
			case <-p.Gone():
				cancel()
			case <-ctx.Done():
			}
		})
		if err := d.serve(ctx); err != nil {
			s.config.Log.Warn("a room takes no more guests", "room", p.Name(), "error", err)
		}
		s.giveBack(d)
	})
}

// portsTried is how many ports are tried that other programs have.
const portsTried = 100

// take returns a listener on the port of a room.
func (s *Server) take(name string) (net.Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == room.Main && s.main != nil {
		listener := s.main
		s.main = nil
		s.ports[port(listener)] = true
		return listener, nil
	}
	return s.next()
}

// next returns a listener on the next free port. The caller holds s.mu.
func (s *Server) next() (net.Listener, error) {
	if s.first == 0 {
		return s.listen(0)
	}
	var failed error
	for number, tried := s.first+1, 0; tried < portsTried; number++ {
		if s.ports[number] {
			continue
		}
		listener, err := s.listen(number)
		if err == nil {
			s.ports[number] = true
			return listener, nil
		}
		tried++
		failed = err
	}
	return nil, failed
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// giveBack frees the ports of a room, whose listeners are closed.
func (s *Server) giveBack(d *door) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, listener := range d.listeners() {
		delete(s.ports, port(listener))
	}
	if s.doors[d.place.Name()] == d {
		delete(s.doors, d.place.Name())
	}
}

// A Status says where the guests of a room connect.
type Status struct {
	// Address is where they connect, host:port.
	Address string `json:"address"`
	// Lock is the path of the lock as they see it; empty while they can join no run.
	Lock string `json:"lock,omitempty"`
	// Refused says why the last connection was closed that no run's log has.
	Refused string `json:"refused,omitempty"`
}

// Status returns how a room stands to guests; false if it takes none.
func (s *Server) Status(name string) (Status, bool) {
	s.mu.Lock()
	d := s.doors[name]
	s.mu.Unlock()
	if d == nil {
		return Status{}, false
	}
	return d.status(), true
}

// Close ends all connections and waits for them.
func (s *Server) Close() {
	s.mu.Lock()
	s.end()
	if s.main != nil {
		s.main.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
}

// A slowListener lets connections in as fast as its limiter allows.
type slowListener struct {
	net.Listener
	ctx     context.Context
	limiter *rate.Limiter
}

func (l slowListener) Accept() (net.Conn, error) {
	if err := l.limiter.Wait(l.ctx); err != nil {
		return nil, net.ErrClosed
	}
	return l.Listener.Accept()
}

// metrics are the numbers for Prometheus.
type metrics struct {
	connections     prometheus.Gauge
	turnedAway      prometheus.Counter
	refusedRequests *prometheus.CounterVec // by ZooKeeper's error
}

func newMetrics() *metrics {
	return &metrics{
		connections: prometheus.NewGauge(prometheus.GaugeOpts{Name: "playground_guest_connections", Help: "Connections of guests that are open."}),
		turnedAway: prometheus.NewCounter(prometheus.CounterOpts{Name: "playground_guests_turned_away_total",
			Help: "Connections that became no guest, as there was no run, or what came was not ZooKeeper's protocol."}),
		refusedRequests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "playground_guest_refused_total",
			Help: "Requests of guests that were refused, by ZooKeeper's error."}, []string{"error"}),
	}
}

func (m *metrics) refused(r chroot.Refusal) { m.refusedRequests.WithLabelValues(r.Code.String()).Inc() }

// Metrics are the server's.
func (s *Server) Metrics() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.connections, s.metrics.turnedAway, s.metrics.refusedRequests}
}
