package resp

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// ErrProtocol: bytes that are not RESP. What follows them cannot be read.
var ErrProtocol = errors.New("resp: not the protocol of Redis")

// errIncomplete: the rest of a value has yet to come.
var errIncomplete = errors.New("resp: incomplete")

// A Value is one value of the protocol.
type Value struct {
	Type  byte // +, -, :, $ or *, as on the wire
	Text  string
	Null  bool
	Items []Value
}

// The limits of what is read: a lock's requests are short.
const (
	maxLength = 1 << 20
	maxItems  = 1024
	maxDepth  = 4
)

// Parse reads one value and returns how many bytes it took.
func Parse(b []byte) (Value, int, error) { return parse(b, 0) }

func parse(b []byte, depth int) (Value, int, error) {
	end := bytes.Index(b, []byte("\r\n"))
	if end < 0 {
		if len(b) > maxLength {
			return Value{}, 0, fmt.Errorf("%w: a line without end", ErrProtocol)
		}
		return Value{}, 0, errIncomplete
	}
	if end == 0 || depth > maxDepth {
		return Value{}, 0, ErrProtocol
	}
	v := Value{Type: b[0], Text: string(b[1:end])}
	n := end + 2
	switch v.Type {
	case '+', '-', ':':
		return v, n, nil
	case '$':
		return v.bulk(b, n)
	case '*':
		return v.array(b, n, depth)
	default:
		return Value{}, 0, fmt.Errorf("%w: a value begins with %q", ErrProtocol, v.Type)
	}
}

// count reads the length that stands in the line of a bulk string or an array.
func (v *Value) count(limit int) (int, error) {
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < -1 || n > limit {
		return 0, fmt.Errorf("%w: impossible length %q", ErrProtocol, v.Text)
	}
	v.Text, v.Null = "", n == -1
	return n, nil
}

func (v Value) bulk(b []byte, n int) (Value, int, error) {
	length, err := v.count(maxLength)
	if err != nil || v.Null {
		return v, n, err
	}
	if len(b) < n+length+2 {
		return Value{}, 0, errIncomplete
	}
	v.Text = string(b[n : n+length])
	return v, n + length + 2, nil
}

func (v Value) array(b []byte, n, depth int) (Value, int, error) {
	length, err := v.count(maxItems)
	if err != nil {
		return Value{}, 0, err
	}
	for range length {
		item, m, err := parse(b[n:], depth+1)
		if err != nil {
			return Value{}, 0, err
		}
		v.Items = append(v.Items, item)
		n += m
	}
	return v, n, nil
}

// A Framer cuts a stream into values. It is for one goroutine.
type Framer struct {
	rest []byte
	err  error
}

// NewFramer returns one at the beginning of a stream.
func NewFramer() *Framer { return &Framer{} }

// Feed takes the next chunk of the stream and calls each for every value that it
// completes; the bytes belong to each. After an error every call returns that.
func (f *Framer) Feed(chunk []byte, each func(frame []byte)) error {
	if f.err != nil {
		return f.err
	}
	f.rest = append(f.rest, chunk...)
	for len(f.rest) > 0 {
		_, n, err := Parse(f.rest)
		if errors.Is(err, errIncomplete) {
			return nil
		}
		if err != nil {
			f.err = err
			return err
		}
		each(bytes.Clone(f.rest[:n]))
		f.rest = f.rest[n:]
	}
	f.rest = nil
	return nil
}

// Reuse does nothing: frames are short.
func (f *Framer) Reuse([]byte) {}
