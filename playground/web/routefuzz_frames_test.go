package web_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// chatTime is how long a fuzzer listens to a stream before it hangs up.
const chatTime = 20 * time.Millisecond

// chat sends frames to a stream that are none of a viewer's, reads what comes, and leaves
// without a word.
func (w *fuzzer) chat() {
	for range 1 + w.IntN(4) {
		if _, err := w.conn.Write(w.frame()); err != nil {
			return // it is closed already, as it should be
		}
	}
	if err := w.conn.SetReadDeadline(time.Now().Add(chatTime)); err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, w.reader) // whatever it is
}

// frame makes up a frame: its first byte says what it is, its second how long, and that
// it is masked, as those of viewers must be.
func (w *fuzzer) frame() []byte {
	const text, masked = 0x81, 0x80
	switch w.IntN(8) {
	case 0:
		return rawFrame(text, masked, 0, []byte(`{"probe":true}`))
	case 1:
		return rawFrame(text, masked, 0, bytes.Repeat([]byte("x"), 1<<10+w.IntN(64<<10)))
	case 2: // much is announced, and little comes
		return rawFrame(text, masked, 1<<62, []byte("x"))
	case 3:
		return rawFrame(text, 0, 0, []byte("not masked"))
	case 4: // a ping, a pong or a close with anything in it
		return rawFrame(byte(0x88+w.IntN(3)), masked, 0, w.noise(w.IntN(200)))
	case 5: // a continuation of nothing, a part, or what is reserved
		return rawFrame(byte(w.IntN(256)), masked, 0, w.noise(w.IntN(100)))
	case 6:
		return rawFrame(0xc1, masked, 0, w.noise(50)) // compressed, it says
	default:
		return w.noise(1 + w.IntN(300))
	}
}

func (w *fuzzer) noise(n int) []byte {
	noise := make([]byte, n)
	for i := range noise {
		noise[i] = byte(w.IntN(256))
	}
	return noise
}

// rawFrame makes a frame with the mask 0. Claimed is the length that it tells of, 0 the
// right one.
func rawFrame(first, masked byte, claimed uint64, payload []byte) []byte {
	length := max(claimed, uint64(len(payload)))
	frame := []byte{first}
	switch {
	case length < 126:
		frame = append(frame, masked|byte(length))
	case length < 1<<16:
		frame = binary.BigEndian.AppendUint16(append(frame, masked|126), uint16(length))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, masked|127), length)
	}
	if masked != 0 {
		frame = append(frame, 0, 0, 0, 0)
	}
	return append(frame, payload...)
}
