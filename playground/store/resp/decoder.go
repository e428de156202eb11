package resp

import (
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// The requests by which a client takes a lock and gives it back, by their names in the
// log. Hello opens a connection.
const (
	Hello    = "HELLO"
	SetNXPX  = "SET NX PX"
	Eval     = "EVAL"
	Insert   = "INSERT"
	DeleteOf = "DELETE"
)

// Changes says what a request does to the lock, in ZooKeeper's words: create, delete,
// or nothing.
func Changes(op string) string {
	switch op {
	case SetNXPX, Insert:
		return "create"
	case Eval, DeleteOf:
		return "delete"
	default:
		return ""
	}
}

// SQL is the word in front of a statement.
const SQL = "SQL"

// A Decoder reads the frames of one connection. It is not safe for concurrent use.
type Decoder struct {
	asked  []*wire.Frame // requests without a reply, oldest first
	number int32
}

// NewDecoder returns a decoder for a new connection.
func NewDecoder() *Decoder { return &Decoder{} }

// Request reads a client's request.
func (d *Decoder) Request(frame []byte) *wire.Frame {
	d.number++
	f := &wire.Frame{Kind: wire.Request, Xid: d.number}
	v, _, err := Parse(frame)
	if err != nil || len(v.Items) == 0 {
		f.Kind, f.Why = wire.Undecoded, "a request that is no array of words"
	} else {
		f.Op, f.Path = meaning(words(v))
	}
	d.asked = append(d.asked, f)
	return f
}

// Reply reads an answer: that to the oldest request.
func (d *Decoder) Reply(frame []byte) *wire.Frame {
	v, _, err := Parse(frame)
	if err != nil || len(d.asked) == 0 {
		return &wire.Frame{Kind: wire.Undecoded, Why: "a reply that nobody has asked for"}
	}
	request := d.asked[0]
	d.asked = d.asked[1:]
	return &wire.Frame{Kind: wire.Reply, Op: request.Op, Path: request.Path, Xid: request.Xid,
		Request: request, Err: refusal(request, v)}
}

func words(v Value) []string {
	all := make([]string, len(v.Items))
	for i, item := range v.Items {
		all[i] = item.Text
	}
	return all
}

// meaning is the name of a request, with what makes it one, and the key that it
// concerns.
func meaning(words []string) (op, key string) {
	op = strings.ToUpper(words[0])
	at := 1 // where the key is
	switch op {
	case Hello:
		return op, ""
	case SQL:
		if len(words) > 1 {
			op, _, _ = strings.Cut(words[1], " ")
		}
		at = 2
	case Eval:
		at = 3
	case "SET":
		for _, option := range []string{"NX", "PX"} {
			if slices.ContainsFunc(words[min(3, len(words)):], func(w string) bool { return strings.EqualFold(w, option) }) {
				op += " " + option
			}
		}
	}
	if at < len(words) {
		key = words[at]
	}
	return op, key
}

// refusal is why a request was not done, in the server's words; empty if it was.
func refusal(request *wire.Frame, v Value) string {
	switch {
	case v.Type == '-':
		return v.Text
	case v.Null && Changes(request.Op) == "create":
		return "nil"
	case v.Type == ':' && v.Text == "0" && Changes(request.Op) == "delete":
		return "deleted 0"
	default:
		return ""
	}
}
