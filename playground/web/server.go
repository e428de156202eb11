// Package web puts the playground on the network: the page, the lessons, the
// API and the event stream, on Echo.
//
// Requests go through the guards (sizes, rates, origins, headers) to a handler
// that speaks to package room; every handler is a few lines. What a viewer sees
// is not pushed to it by the run: each stream reads the run's log at its own
// pace, from the event it asked for, so a viewer that is slow, late or cut off
// costs the others nothing and misses nothing. What the streams of one log send at
// the same time they share, as frames.
//
// Errors reach the client as {"error":{"code","message"}} with a status that
// fits; errors.go maps the sentinels of the packages below.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/web/ratelimit"
	"github.com/zkplayground/zkplayground/playground/web/replica"
	"github.com/zkplayground/zkplayground/playground/web/stream"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A Config is what a server needs.
type Config struct {
	Rooms *room.Rooms
	// Judgements are those of the rooms.
	Judgements *judging.Judgements
	// Guests has the ports of the rooms; nil if they take no guests.
	Guests    *guests.Server
	Scenarios scenario.Set
	Lessons   *lessons.Library
	Teacher   *teacher.Guide
	// Static holds the page.
	Static fs.FS
	// Page names the file of Static that is a room's page; the front page, front.html, is
	// beside it.
	Page string
	// ZooKeeper returns the status of the servers, at least one.
	ZooKeeper func() []zkserver.Status
	// Cluster shares the rooms out among several playgrounds; nil means that there is one.
	Cluster *cluster.Cluster
	// MetricsApart says that the metrics are for [Server.ServeMetrics] alone.
	MetricsApart bool
	// Version is the program's.
	Version string
	// TeacherToken makes a teacher of who has it; empty means a random one.
	TeacherToken string
	// Guarded says that nobody else is a teacher. Otherwise whoever is in no class is
	// one: a playground for one person.
	Guarded bool
	// Addresses are where this machine can be reached, as http://HOST:PORT, the likeliest
	// first. A teacher picks the one that a class is to use.
	Addresses []string
	// AllowHosts are the names, in small letters, by which the server may be asked for,
	// besides localhost and addresses in numbers.
	AllowHosts []string
	// TrustedProxies are the addresses of proxies whose X-Forwarded-For, -Proto and
	// -Host are believed.
	TrustedProxies []netip.Prefix
	// BasePath is what every address of the server begins with, "/zk" for one; empty
	// for none.
	BasePath string
	// WriteTimeout is how long a viewer of a stream, or a reader of a log, may
	// take to accept what it is sent before it is let go; 0 means 10 s.
	WriteTimeout time.Duration
	// Now is the clock of the limits; nil means time.Now.
	Now func() time.Time
	// Log gets what goes wrong inside.
	Log *slog.Logger
}

// requestTimeout is how long Shutdown lets requests go on.
const requestTimeout = time.Second

// A Server serves the playground.
type Server struct {
	config  Config
	echo    *echo.Echo
	metrics *metrics
	// life ends when the server is to stop; streams hang on it, because an
	// HTTP server does not end the connections that were taken over from it.
	life      context.Context
	stop      context.CancelFunc
	streams   streams
	limiter   *ratelimit.Limiter
	catalogue scenario.Catalogue
	batches   *stream.Shared
	downloads *downloads
	replicas  *replica.Replicas // nil when alone
	// draining says that the server is about to stop.
	draining    atomic.Bool
	http        *http.Server
	metricsHTTP *http.Server
}

// New returns a server that does not listen yet.
func New(config Config) *Server {
	if config.WriteTimeout == 0 {
		config.WriteTimeout = defaultWriteTimeout
	}
	if config.TeacherToken == "" {
		config.TeacherToken = rand.Text()
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	s := &Server{config: config, echo: echo.New(), metrics: newMetrics(config), catalogue: run.Catalogue(),
		limiter: ratelimit.New(mostLimited, config.Now), batches: stream.NewShared(), downloads: newDownloads()}
	if config.Cluster != nil {
		s.replicas = replica.New(replica.Config{Cluster: config.Cluster, Rooms: config.Rooms, BasePath: config.BasePath, Draining: &s.draining, Log: config.Log})
	}
	s.life, s.stop = context.WithCancel(context.Background())
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.IPExtractor = s.visitor()
	s.echo.HTTPErrorHandler = s.handleError
	s.guard()
	s.route()
	s.http, s.metricsHTTP = s.httpServer(s.echo), s.httpServer(s.metrics.handler)
	return s
}

func (s *Server) httpServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn)}
}

func (s *Server) route() {
	get := func(path string, h echo.HandlerFunc) {
		s.echo.Match([]string{http.MethodGet, http.MethodHead}, path, h)
	}
	get("/healthz", s.health)
	get("/healthz/live", s.live)
	get("/healthz/ready", s.ready)
	if !s.config.MetricsApart {
		get("/metrics", echo.WrapHandler(s.metrics.handler))
	}
	get("/lessons/:locale", s.courseMap)
	get("/lessons/:locale/:slug", s.lesson)
	get("/lessons/code.css", s.highlight)
	get("/teacher/:locale", s.teacherIndex)
	get("/teacher/:locale/:page", s.teacherPage)
	get("/", s.front)
	get("/rooms/:room", s.roomPage)
	get("/static/*", s.asset)

	api := s.echo.Group("/api")
	api.GET("/scenarios", s.scenarios)
	api.GET("/lessons", s.lessons)
	api.GET("/goals", s.goals)
	api.GET("/templates", s.listTemplates)
	api.GET("/challenges", s.listChallenges)
	api.POST("/recordings/upgrade", s.upgradeRecording, middleware.BodyLimit(maxRecording))
	s.echo.GET(replica.LoadPath, s.load)
	api.POST("/rooms", s.createRoom)
	api.POST("/classes", s.openClass)
	api.POST("/classes/join", s.joinClass)
	api.POST("/classes/leave", s.leaveClass)
	api.POST("/classes/goals", s.meetGoals)

	one := api.Group("/rooms/:room")
	one.GET("/me", s.may(room.View, s.me))
	one.POST("/run", s.may(room.Control, s.startRun))
	one.PATCH("/run", s.may(room.Control, ofRun(s.changeRun)))
	one.DELETE("/run", s.may(room.Control, s.stopRun))
	one.POST("/faults", s.may(room.Control, s.injectFault))
	one.DELETE("/faults", s.may(room.Control, ofRun(disarm)))
	one.GET("/judgement", s.may(room.View, s.judgement))
	one.POST("/judgement", s.may(room.Control, s.startJudgement))
	one.DELETE("/judgement", s.may(room.Control, s.stopJudgement))
	one.GET("/steps", s.may(room.View, ofRun(steps)))
	one.POST("/steps", s.may(room.Control, s.step))
	one.GET("/events", s.may(room.View, s.events))
	one.GET("/summary", s.may(room.View, ofRun(summary)))
	one.GET("/runs", s.may(room.View, s.runs))
	one.GET("/recording", s.may(room.View, s.recording))
	one.GET("/export.html", s.may(room.View, s.exportPage))
	one.GET("/stream", s.may(room.View, s.stream))
	one.GET("/console", s.may(room.Control, s.console))
	one.PUT("/presented", s.may(room.Present, ofClass(s.present)))
	one.POST("/votes", s.may(room.Vote, ofClass(s.vote)))
	one.POST("/votes/close", s.may(room.Present, endVote((*room.Class).CloseVote)))
	one.POST("/votes/reveal", s.may(room.Present, endVote((*room.Class).Reveal)))
	one.PATCH("/class", s.may(room.View, s.changeClass))
	one.DELETE("/class", s.may(room.Manage, s.closeClass))
	one.GET("/class/results", s.may(room.Manage, ofClass(s.results)))
	one.GET("/class/qr.svg", s.may(room.Manage, ofClass(s.qrCode)))
}

// ServeHTTP makes a Server an http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Serve answers on listener until Shutdown; it returns what went wrong, if
// anything but that.
func (s *Server) Serve(listener net.Listener) error { return serve(s.http, listener) }

// ServeMetrics answers every request on listener with the metrics, until Shutdown.
func (s *Server) ServeMetrics(listener net.Listener) error { return serve(s.metricsHTTP, listener) }

func serve(server *http.Server, listener net.Listener) error {
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// Drain has the server say that it is not ready any more, as it is about to stop.
func (s *Server) Drain() { s.draining.Store(true) }

// Shutdown ends the streams, each with the close code 1001, and returns when
// all is quiet. Requests may go on for a second, or as long as ctx allows if
// that is less, then they are broken off; so are connections that were opened
// in advance, as browsers do, and never used.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	s.stop()
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if ctx.Err() != nil {
		err = s.http.Close()
	}
	s.streams.end()
	return errors.Join(err, s.metricsHTTP.Close())
}

// streams counts the streams that are open. A wait group alone would not do:
// one may begin while the server waits for the others.
type streams struct {
	mu     sync.Mutex
	closed bool
	open   sync.WaitGroup
}

// enter counts a stream in, unless the server is stopping. Each success is
// paired with leave.
func (s *streams) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.open.Add(1)
	}
	return !s.closed
}

func (s *streams) leave() { s.open.Done() }

// end lets no more in and waits until all have left.
func (s *streams) end() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.open.Wait()
}
