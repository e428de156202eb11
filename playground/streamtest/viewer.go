package streamtest

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A Config says who views what.
type Config struct {
	Address string      // host:port
	Path    string      // of the stream
	Header  http.Header // a browser's cookies, for one
	// Plain viewers want no compression.
	Plain bool
	// Unchecked viewers count what they get, and do not look into it.
	Unchecked bool
	// Wrap may change how the viewer's connection behaves.
	Wrap func(net.Conn) net.Conn
}

// TooSlow is the close code of a viewer that did not read what it was sent.
const TooSlow = 4008

// ErrTooSlow is returned to a viewer that was closed with that code.
var ErrTooSlow = errors.New("the viewer was too slow")

// ErrWrongEvent is returned when an event is missing, or comes again.
var ErrWrongEvent = errors.New("not the event that was due")

// A Viewer reads one stream from the first event of its run. Only [Viewer.Probe] and [Viewer.Close]
// may be called while another method runs.
type Viewer struct {
	config Config
	frames *Frames
	conn   net.Conn
	in     *bufio.Reader
	// message is the beginning of a message that is on its way.
	message    []byte
	compressed bool
	run        string
	next       int64 // the event that is due

	// Bytes and Frames are what has come so far.
	Bytes, Frames int64
}

// Dial opens the stream.
func (f *Frames) Dial(ctx context.Context, c Config) (*Viewer, error) {
	v := &Viewer{config: c, frames: f, next: 1}
	return v, v.connect(ctx, c.Path)
}

// Resume opens the stream anew, after the last event that has come.
func (v *Viewer) Resume(ctx context.Context) error {
	v.conn.Close()
	v.message = nil
	return v.connect(ctx, fmt.Sprintf("%s?from=%d&run=%s", v.config.Path, v.next, v.run))
}

func (v *Viewer) connect(ctx context.Context, path string) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", v.config.Address)
	if err != nil {
		return err
	}
	if v.config.Wrap != nil {
		conn = v.config.Wrap(conn)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	v.conn, v.in = conn, bufio.NewReaderSize(conn, 32<<10)
	if err := v.shakeHands(ctx, path); err != nil {
		conn.Close()
		return fmt.Errorf("open the stream %s: %w", path, err)
	}
	return nil
}

func (v *Viewer) shakeHands(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+v.config.Address+path, nil)
	if err != nil {
		return err
	}
	if v.config.Header != nil {
		request.Header = v.config.Header.Clone()
	}
	for name, value := range map[string]string{"Upgrade": "websocket", "Connection": "Upgrade",
		"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
		request.Header.Set(name, value)
	}
	if !v.config.Plain {
		request.Header.Set("Sec-WebSocket-Extensions", "permessage-deflate")
	}
	if err := request.Write(v.conn); err != nil {
		return err
	}
	response, err := http.ReadResponse(v.in, request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return errors.New(response.Status)
	}
	return nil
}

// Due is the event that has not come yet.
func (v *Viewer) Due() int64 { return v.next }

// Close ends the stream.
func (v *Viewer) Close() error { return v.conn.Close() }

// Probe asks for an answer, which comes after everything that was sent before it.
func (v *Viewer) Probe() error { return v.write(1, []byte(`{"probe":true}`)) }

// write writes a short frame of a kind, with a mask of zero.
func (v *Viewer) write(kind byte, payload []byte) error {
	_, err := v.conn.Write(append([]byte{0x80 | kind, 0x80 | byte(len(payload)), 0, 0, 0, 0}, payload...))
	return err
}

// Next waits for the next message; pings are answered. It is an error if its events are
// not those that are due.
func (v *Viewer) Next() (Frame, error) {
	for {
		whole, err := v.frame()
		if err != nil {
			return Frame{}, err
		}
		if !whole {
			continue
		}
		arrived := time.Now()
		v.Frames++
		if v.config.Unchecked {
			v.message = v.message[:0]
			return Frame{}, nil
		}
		frame, err := v.frames.read(v.message, v.compressed)
		v.message = v.message[:0]
		if err != nil {
			return frame, err
		}
		frame.Arrived = arrived
		return frame, v.check(frame)
	}
}

func (v *Viewer) check(f Frame) error {
	if f.Run != nil && f.Run.ID != v.run {
		v.run, v.next = f.Run.ID, 1
	}
	if f.First == 0 {
		return nil
	}
	if f.First != v.next {
		return fmt.Errorf("%w: %d instead of %d", ErrWrongEvent, f.First, v.next)
	}
	v.next = f.Last + 1
	return nil
}

// frame reads one frame of the websocket; a message is whole with its last one.
func (v *Viewer) frame() (whole bool, err error) {
	var head [2]byte
	if _, err := io.ReadFull(v.in, head[:]); err != nil {
		return false, err
	}
	length, err := v.length(head[1] & 0x7f)
	if err != nil {
		return false, err
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(v.in, payload); err != nil {
		return false, err
	}
	v.Bytes += length + 2
	switch kind := head[0] & 0xf; kind {
	case 0, 1: // a message, or a further part of one
		if kind == 1 {
			v.compressed = head[0]&0x40 != 0
		}
		v.message = append(v.message, payload...)
		return head[0]&0x80 != 0, nil
	case 8: // the end
		if len(payload) >= 2 && binary.BigEndian.Uint16(payload) == TooSlow {
			return false, ErrTooSlow
		}
		return false, fmt.Errorf("the stream was closed: %q", payload)
	case 9: // a ping, to be answered with the same
		return false, v.write(10, payload)
	default:
		return false, fmt.Errorf("frame of kind %d: %.60q", kind, payload)
	}
}

// length is that of a frame; a long one has it after its head.
func (v *Viewer) length(short byte) (length int64, err error) {
	var long [8]byte
	switch short {
	case 126:
		_, err = io.ReadFull(v.in, long[6:])
	case 127:
		_, err = io.ReadFull(v.in, long[:])
	default:
		return int64(short), nil
	}
	return int64(binary.BigEndian.Uint64(long[:])), err
}
