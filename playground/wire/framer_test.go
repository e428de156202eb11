package wire_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// frames cuts a stream with a new framer, given in the chunks that split makes.
func frames(limit int, stream []byte, split func(left int) int) ([][]byte, error) {
	var got [][]byte
	f := wire.NewFramer(limit)
	for len(stream) > 0 {
		n := split(len(stream))
		if err := f.Feed(stream[:n], func(frame []byte) { got = append(got, frame) }); err != nil {
			return got, err
		}
		stream = stream[n:]
	}
	return got, nil
}

func whole(left int) int { return left }

func TestFramerTakesAnyChunks(t *testing.T) {
	stream := concat(prefixed([]byte("one")), prefixed(nil), prefixed(bytes.Repeat([]byte("x"), 100_000)), prefixed([]byte("4")))
	want, err := frames(0, stream, whole)
	if err != nil || len(want) != 4 {
		t.Fatalf("in one chunk: %d frames, error %v; want 4 and none", len(want), err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	splits := map[string]func(int) int{
		"single bytes": func(int) int { return 1 },
		"random":       func(left int) int { return 1 + random.IntN(min(left, 5000)) },
	}
	for name, split := range splits {
		got, err := frames(0, stream, split)
		if err != nil || !bytes.Equal(concat(got...), concat(want...)) || len(got) != 4 {
			t.Errorf("%s: %d frames, error %v; want the same 4 as in one chunk", name, len(got), err)
		}
	}
}

func TestFramerRefusesImpossibleLengths(t *testing.T) {
	tests := []struct {
		name   string
		stream []byte
		frames int
	}{
		{"negative", []byte{0xff, 0xff, 0xff, 0xff, 1}, 0},
		{"above the limit", append(prefixed([]byte("fine")), 0, 0, 0, 11), 1},
		{"huge", []byte("GET / HTTP/1.1\r\n"), 0},
	}
	for _, tt := range tests {
		got, err := frames(10, tt.stream, whole)
		if !errors.Is(err, wire.ErrFrameLength) || len(got) != tt.frames {
			t.Errorf("%s: %d frames, error %v; want %d and ErrFrameLength", tt.name, len(got), err, tt.frames)
		}
	}
}

func TestFramerStaysRefusing(t *testing.T) {
	f := wire.NewFramer(10)
	none := func([]byte) { t.Error("a frame after an impossible length") }
	first := f.Feed([]byte{0, 0, 1, 0}, none)
	if again := f.Feed(prefixed([]byte("fine")), none); again == nil || again != first {
		t.Errorf("second Feed: %v, want the first error again: %v", again, first)
	}
}

func FuzzFramer(f *testing.F) {
	f.Add(concat(prefixed([]byte("one")), prefixed(nil)), uint8(1))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0}, uint8(3))
	f.Fuzz(func(t *testing.T, stream []byte, step uint8) {
		want, wantErr := frames(1000, stream, whole)
		got, err := frames(1000, stream, func(left int) int { return min(left, int(step)+1) })
		if !bytes.Equal(concat(got...), concat(want...)) || (err == nil) != (wantErr == nil) {
			t.Errorf("in steps of %d: %d frames, %v; in one chunk %d, %v", step, len(got), err, len(want), wantErr)
		}
		if !bytes.HasPrefix(stream, concat(got...)) {
			t.Error("the frames are not the stream's")
		}
	})
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// TestFramerReuse gives each frame back when the next is under way: what is
// reassembled does not change, and a frame that fits takes the room.
func TestFramerReuse(t *testing.T) {
	framer := wire.NewFramer(0)
	for _, size := range []int{40, 8, 0, 40, 100, 7, 100, 90 << 10, 100} {
		sent := prefixed(bytes.Repeat([]byte{byte(size)}, size))
		var got []byte
		if err := framer.Feed(sent, func(frame []byte) { got = frame }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, sent) {
			t.Fatalf("a frame of %d bytes came as %d bytes, % x", size, len(got)-4, got)
		}
		framer.Reuse(got)
	}
	frame := prefixed([]byte("abc"))
	again := func(frame []byte) { framer.Reuse(frame) }
	if n := testing.AllocsPerRun(100, func() { _ = framer.Feed(frame, again) }); n > 0 {
		t.Errorf("%v allocations a frame, want none", n)
	}
}
