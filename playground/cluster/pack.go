package cluster

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// ErrTooLarge is returned for what does not fit into a znode.
var ErrTooLarge = errors.New("more than a znode takes")

const (
	// packedFrom is the length from which a text is compressed: shorter ones can be read
	// by ZooKeeper's command line.
	packedFrom = 8 << 10
	// maxPacked is what a znode takes, and maxText what that may be of. ZooKeeper takes
	// requests of up to 1 MiB, with all that is in them.
	maxPacked = 1000 << 10
	maxText   = 64 << 20
	// buffers are what a session needs for that.
	buffers = 1 << 20
)

var (
	magic     = []byte{0x28, 0xb5, 0x2f, 0xfd} // with which what is compressed begins
	packer, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	opener, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText)) // the options are right
)

// pack makes a text as short as a znode needs it. The error wraps ErrTooLarge.
func pack(text []byte) ([]byte, error) {
	packed := text
	if len(text) >= packedFrom {
		packed = packer.EncodeAll(text, nil)
	}
	if len(packed) > maxPacked || len(text) > maxText {
		return nil, fmt.Errorf("%w: %d bytes, and %d when compressed", ErrTooLarge, len(text), len(packed))
	}
	return packed, nil
}

func unpack(packed []byte) ([]byte, error) {
	if !bytes.HasPrefix(packed, magic) {
		return packed, nil
	}
	return opener.DecodeAll(packed, nil)
}
