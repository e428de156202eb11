package link

import "errors"

var (
	// ErrCut: the connection was dropped by [Link.Cut] or [Link.Break], or because
	// a reply on it was lost; see [Link.LoseReply].
	ErrCut = errors.New("link: connection cut")
	// ErrKilled: the client was killed; nothing gets through any more.
	ErrKilled = errors.New("link: client killed")
	// ErrClosed: the link was closed by its owner.
	ErrClosed = errors.New("link: closed")
	// ErrMute: the server accepted a connection and did not answer the first
	// frame in time, as it happens while it starts.
	ErrMute = errors.New("link: the server does not answer the handshake")
	// ErrNotStepping: frames are delivered by hand only while the link steps.
	ErrNotStepping = errors.New("frames are not delivered by hand now, turn step mode on first")
	// ErrNoFrame: no frame with this number waits to be delivered.
	ErrNoFrame = errors.New("no such frame waits")
	// ErrOutOfOrder: another frame of the same connection has to be delivered
	// first.
	ErrOutOfOrder = errors.New("another frame is ahead of this one")
	// ErrOverflow: more bytes wait in one direction than a link keeps.
	ErrOverflow = errors.New("link: too much waits on the link")
)
