package link

import "errors"

var (
	// ErrCut: the connection was dropped by [Link.Cut].
	ErrCut = errors.New("link: connection cut")
	// ErrKilled: the client was killed; nothing gets through any more.
	ErrKilled = errors.New("link: client killed")
	// ErrClosed: the link was closed by its owner.
	ErrClosed = errors.New("link: closed")
	// ErrMute: the server accepted a connection and did not answer the first
	// frame in time, as it happens while it starts.
	ErrMute = errors.New("link: the server does not answer the handshake")
	// ErrOverflow: more bytes wait in one direction than a link keeps.
	ErrOverflow = errors.New("link: too much waits on the link")
)
