package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// carry has the replica answer a request that has its room, and passes the answer on for as
// long as it has the room. A request for no room has no name.
func (s *Server) carry(c echo.Context, name, address string) error {
	target, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("replica %q: %w", address, err)
	}
	var failed error
	proxy := httputil.ReverseProxy{
		Transport:     s.replicas.client.Transport,
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
			r.Out.URL.Path, r.Out.URL.RawPath = s.config.BasePath+r.In.URL.Path, ""
			r.Out.Host = r.In.Host
			r.Out.Header.Set(replicaHeader, s.replicas.key)
			r.Out.Header.Set("X-Forwarded-For", c.RealIP())
			r.Out.Header.Set(forwardedProto, c.Scheme())
		},
		ModifyResponse: func(r *http.Response) error {
			for name := range c.Response().Header() { // ours are the same
				r.Header.Del(name)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { failed = err },
	}
	request := c.Request()
	if name != "" {
		ctx, leave := s.replicas.follow(request.Context(), followedRoom{name, address})
		defer leave()
		request = request.WithContext(ctx)
	}
	proxy.ServeHTTP(c.Response(), request)
	if failed != nil {
		s.config.Log.Warn("a replica does not answer", "replica", address, "error", failed)
		return errAway
	}
	return nil
}

// followEvery is the time between two looks whether a replica has a room still: one that
// stands still answers nothing, and does not say so.
const followEvery = time.Second

// A followedRoom is one from which answers are passed on, of the replica at address.
type followedRoom struct{ name, address string }

// A followed has all who pass on such answers look by one goroutine.
type followed struct {
	users int
	ctx   context.Context // ends when the replica has the room no more
	end   context.CancelFunc
}

// follow returns ctx, ended when the replica has the room no more. Each call is paired with
// leave.
func (r *replicas) follow(ctx context.Context, room followedRoom) (_ context.Context, leave func()) {
	r.mu.Lock()
	f := r.followed[room]
	if f == nil {
		f = &followed{}
		f.ctx, f.end = context.WithCancel(context.WithoutCancel(ctx))
		r.followed[room] = f
		go r.look(f, room) // until the last has left
	}
	f.users++
	r.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(f.ctx, cancel)
	return ctx, func() {
		forget()
		cancel()
		r.mu.Lock()
		defer r.mu.Unlock()
		if f.users--; f.users == 0 {
			r.forget(f, room)
		}
	}
}

// forget ends f, which is followed no more. The caller holds the mutex.
func (r *replicas) forget(f *followed, room followedRoom) {
	f.end()
	if r.followed[room] == f {
		delete(r.followed, room)
	}
}

func (r *replicas) look(f *followed, room followedRoom) {
	for f.ctx.Err() == nil {
		clock.Sleep(f.ctx, followEvery)
		ctx, cancel := context.WithTimeout(f.ctx, followEvery)
		owner, err := r.cluster.Owner(ctx, room.name)
		cancel()
		if err == nil && owner != room.address {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.forget(f, room)
			return
		}
	}
}
