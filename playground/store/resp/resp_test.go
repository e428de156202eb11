package resp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/store/resp"
	"github.com/zkplayground/zkplayground/playground/wire"
)

func request(words ...string) string {
	text := "*" + string(rune('0'+len(words))) + "\r\n"
	for _, word := range words {
		text += "$" + itoa(len(word)) + "\r\n" + word + "\r\n"
	}
	return text
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// TestExchanges reads requests with their replies, in chunks of every size.
func TestExchanges(t *testing.T) {
	const insert = "INSERT INTO locks (name, holder) VALUES (?, ?)"
	exchanges := []struct {
		name, request, reply string
		op, path, err        string
	}{
		{"greeting", request("hello", "2"), "*2\r\n$6\r\nserver\r\n$5\r\nredis\r\n", "HELLO", "", ""},
		{"taken", request("SET", "/l/holder", "me", "nx", "px", "2000"), "+OK\r\n", "SET NX PX", "/l/holder", ""},
		{"refused", request("SET", "/l/holder", "me", "NX", "PX", "2000"), "$-1\r\n", "SET NX PX", "/l/holder", "nil"},
		{"overwritten", request("SET", "/l/holder", "me", "PX", "2000"), "+OK\r\n", "SET PX", "/l/holder", ""},
		{"looked up", request("get", "/l/holder"), "$2\r\nme\r\n", "GET", "/l/holder", ""},
		{"not there", request("GET", "/l/holder"), "$-1\r\n", "GET", "/l/holder", ""},
		{"deleted", request("EVAL", "script", "1", "/l/holder", "me"), ":1\r\n", "EVAL", "/l/holder", ""},
		{"somebody else's", request("EVAL", "script", "1", "/l/holder", "me"), ":0\r\n", "EVAL", "/l/holder", "deleted 0"},
		{"inserted", request("SQL", insert, "/l/holder", "me"), ":7\r\n", "INSERT", "/l/holder", ""},
		{"not unique", request("SQL", insert, "/l/holder", "me"), "-ERR UNIQUE constraint failed\r\n", "INSERT", "/l/holder", "ERR UNIQUE constraint failed"},
	}
	for size := 1; size <= 64; size *= 4 {
		decoder, out, in := resp.NewDecoder(), resp.NewFramer(), resp.NewFramer()
		for i, x := range exchanges {
			asked := feed(t, out, x.request, size, decoder.Request)
			answered := feed(t, in, x.reply, size, decoder.Reply)
			if asked.Kind != wire.Request || asked.Op != x.op || asked.Path != x.path || asked.Xid != int32(i+1) {
				t.Errorf("%s: the request reads as %+v", x.name, asked)
			}
			if answered.Kind != wire.Reply || answered.Request != asked || answered.Op != x.op || answered.Err != x.err {
				t.Errorf("%s: the reply reads as %+v", x.name, answered)
			}
		}
	}
}

func feed(t *testing.T, f *resp.Framer, text string, size int, read func([]byte) *wire.Frame) (frame *wire.Frame) {
	t.Helper()
	for from := 0; from < len(text); from += size {
		chunk := text[from:min(len(text), from+size)]
		if err := f.Feed([]byte(chunk), func(raw []byte) { frame = read(raw) }); err != nil {
			t.Fatal(err)
		}
	}
	if frame == nil {
		t.Fatalf("%q is no frame", text)
	}
	return frame
}

func TestGarbageIsRefused(t *testing.T) {
	for _, text := range []string{"GET / HTTP/1.1\r\n", "\r\n", "$9999999999\r\n", "*-7\r\n", "*1\r\n!x\r\n", strings.Repeat("*1\r\n", 9) + "+x\r\n"} {
		f := resp.NewFramer()
		none := func([]byte) { t.Errorf("%q was a frame", text) }
		if err := f.Feed([]byte(text), none); !errors.Is(err, resp.ErrProtocol) {
			t.Errorf("%q: %v, want %v", text, err, resp.ErrProtocol)
		}
		if err := f.Feed([]byte("+OK\r\n"), none); !errors.Is(err, resp.ErrProtocol) {
			t.Errorf("after %q: %v, want %v", text, err, resp.ErrProtocol)
		}
	}
}

func TestWhatIsNoRequestIsUndecoded(t *testing.T) {
	d := resp.NewDecoder()
	if f := d.Request([]byte("+OK\r\n")); f.Kind != wire.Undecoded {
		t.Errorf("a line reads as %+v", f)
	}
	d = resp.NewDecoder()
	if f := d.Reply([]byte("+OK\r\n")); f.Kind != wire.Undecoded {
		t.Errorf("a reply to nothing reads as %+v", f)
	}
}

func FuzzFramer(f *testing.F) {
	f.Add([]byte(request("SET", "k", "v", "NX", "PX", "1")))
	f.Add([]byte("*2\r\n$-1\r\n:1\r\n"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		framer, d := resp.NewFramer(), resp.NewDecoder()
		_ = framer.Feed(text, func(raw []byte) { d.Reply(raw); d.Request(raw) })
	})
}
