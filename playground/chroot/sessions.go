package chroot

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"sync"
	"time"
)

// keepSession is how long a session is remembered after its last connection. It is
// far longer than a server keeps one, and a server that is down keeps all.
const keepSession = 24 * time.Hour

// Sessions remembers which session was opened below which root. One value serves the
// roots of a server together; its methods may be called concurrently.
type Sessions struct {
	mu    sync.Mutex
	known map[int64]*session
	now   func() time.Time
}

type session struct {
	root  root
	inner []byte // the password that the server has given
	outer []byte // the one that the client has
	conns int    // how many connections have it
	left  time.Time
}

// NewSessions returns a registry without any session.
func NewSessions() *Sessions {
	return &Sessions{known: make(map[int64]*session), now: time.Now}
}

// resume returns the server's password of a session, false if it was not opened below
// that root, or with another password.
func (s *Sessions) resume(r root, id int64, password []byte) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, found := s.known[id]
	if !found || known.root != r || subtle.ConstantTimeCompare(known.outer, password) == 0 {
		return nil, false
	}
	return known.inner, true
}

// attach records a connection that the server has given a session, and returns the
// password for the client.
func (s *Sessions) attach(r root, id int64, password []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	known, found := s.known[id]
	if !found || known.root != r {
		known = &session{root: r, outer: make([]byte, len(password))}
		rand.Read(known.outer) // never fails
		s.known[id] = known
	}
	known.inner = bytes.Clone(password)
	known.conns++
	return known.outer
}

// detach records that a connection with the session has ended.
func (s *Sessions) detach(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, found := s.known[id]; found {
		known.conns--
		known.left = s.now()
	}
}

// Forget records that the session has ended, or must not be resumed any more:
// a client that asks for it gets the answer that it has expired.
func (s *Sessions) Forget(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, id)
}

// sweep forgets sessions that no server has any more.
func (s *Sessions) sweep() {
	end := s.now().Add(-keepSession)
	for id, known := range s.known {
		if known.conns <= 0 && known.left.Before(end) {
			delete(s.known, id)
		}
	}
}
