package link

import "github.com/zkplayground/zkplayground/playground/wire"

// An Observer is called for what happens to each frame of a client, in the order in
// which it happens within a direction. A frame is sent or arrives once, may be
// held several times as things change, and ends delivered, received or dropped.
// A frame that crosses at once is only Sent, or only Received.
//
// Calls come from several goroutines, for the two directions at the same time,
// and hold up the frames of the direction: an Observer is quick and never calls
// the link. Frame.Due, Dir and Number are set; see wire.Frame. A wire.Tap is an
// Observer.
type Observer interface {
	// Sent: the client wrote a frame. Due says when it will leave, if it has to
	// wait for that. Sent comes before the server can get any of it.
	Sent(*wire.Frame)
	// Delivered: a frame that had to wait leaves for the server now.
	Delivered(*wire.Frame)
	// Held: a frame, in either direction, waits until Due, or if that is 0 until
	// it is known when it leaves. It is called again when that changes.
	Held(*wire.Frame)
	// Dropped: a frame was discarded with its connection.
	Dropped(*wire.Frame)
	// Received: the client is about to read the frame. Received comes before it
	// can see any of it.
	Received(*wire.Frame)
}

var _ Observer = (*wire.Tap)(nil)

// noObserver is the Observer of a link that has none.
type noObserver struct{}

func (noObserver) Sent(*wire.Frame)      {}
func (noObserver) Delivered(*wire.Frame) {}
func (noObserver) Held(*wire.Frame)      {}
func (noObserver) Dropped(*wire.Frame)   {}
func (noObserver) Received(*wire.Frame)  {}
