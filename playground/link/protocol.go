package link

import "github.com/zkplayground/zkplayground/playground/wire"

// A Protocol is what a client and its server speak: how the bytes of a connection are
// cut into frames, and how those are read.
type Protocol struct {
	// NewFramer makes what cuts one direction of a connection into frames.
	NewFramer func() Framer
	// NewDecoder makes what reads the frames of a connection.
	NewDecoder func() Decoder
}

// A Framer reassembles frames from a stream, as a wire.Framer does.
type Framer interface {
	Feed(chunk []byte, each func(frame []byte)) error
	Reuse(frame []byte)
}

// A Decoder reads whole frames, as they pass. It is called for one at a time.
type Decoder interface {
	Request(frame []byte) *wire.Frame
	Reply(frame []byte) *wire.Frame
}

// zooKeeper is the protocol of ZooKeeper.
func zooKeeper() Protocol {
	return Protocol{
		NewFramer:  func() Framer { return wire.NewFramer(0) },
		NewDecoder: func() Decoder { return unprefixed{wire.NewDecoder()} },
	}
}

// unprefixed takes the length off the frames, which stands in front of each.
type unprefixed struct{ decoder *wire.Decoder }

const prefix = 4

func (u unprefixed) Request(frame []byte) *wire.Frame { return u.decoder.Request(frame[prefix:]) }
func (u unprefixed) Reply(frame []byte) *wire.Frame   { return u.decoder.Reply(frame[prefix:]) }
