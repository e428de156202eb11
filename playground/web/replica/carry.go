package replica

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// A Sender is whoever has sent a request, as the replica that answers it is to see.
type Sender struct{ Address, Scheme string }

// Carry has the replica at address answer a request, and passes the answer on for as long
// as that replica has the room. A request for no room has no name.
func (r *Replicas) Carry(w http.ResponseWriter, request *http.Request, from Sender, name, address string) error {
	target, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("replica %q: %w", address, err)
	}
	var failed error
	proxy := httputil.ReverseProxy{
		Transport:     r.client.Transport,
		FlushInterval: -1,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host
			p.Out.URL.Path, p.Out.URL.RawPath = r.config.BasePath+p.In.URL.Path, ""
			p.Out.Host = p.In.Host
			p.Out.Header.Set(header, r.key)
			p.Out.Header.Set("X-Forwarded-For", from.Address)
			p.Out.Header.Set("X-Forwarded-Proto", from.Scheme)
		},
		ModifyResponse: func(answer *http.Response) error {
			for name := range w.Header() { // ours are the same
				answer.Header.Del(name)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { failed = err },
	}
	if name != "" {
		ctx, leave := r.follow(request.Context(), followedRoom{name, address})
		defer leave()
		request = request.WithContext(ctx)
	}
	proxy.ServeHTTP(w, request)
	if failed != nil {
		r.config.Log.Warn("a replica does not answer", "replica", address, "error", failed)
		return ErrAway
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
func (r *Replicas) follow(ctx context.Context, room followedRoom) (_ context.Context, leave func()) {
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
func (r *Replicas) forget(f *followed, room followedRoom) {
	f.end()
	if r.followed[room] == f {
		delete(r.followed, room)
	}
}

func (r *Replicas) look(f *followed, room followedRoom) {
	for f.ctx.Err() == nil {
		clock.Sleep(f.ctx, followEvery)
		ctx, cancel := context.WithTimeout(f.ctx, followEvery)
		owner, err := r.config.Cluster.Owner(ctx, room.name)
		cancel()
		if err == nil && owner != room.address {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.forget(f, room)
			return
		}
	}
}
