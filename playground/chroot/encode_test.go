package chroot_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
)

// ZooKeeper's numbers of some operations.
const (
	create, remove, exists, getData, setData, setACL, getChildren, sync = 1, 2, 3, 4, 5, 7, 8, 9
	ping, check, multi, reconfig, removeWatches, multiRead              = 11, 13, 14, 16, 18, 22
	setWatches, getEphemerals, addWatch, closeSession                   = 101, 103, 106, -11
)

// openACL is the list of one entry that lets everybody do everything.
type openACL struct{}

// encode writes values as ZooKeeper does.
func encode(values ...any) []byte {
	var b []byte
	for _, value := range values {
		b = appendValue(b, value)
	}
	return b
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case int:
		return binary.BigEndian.AppendUint32(b, uint32(int32(v)))
	case int64:
		return binary.BigEndian.AppendUint64(b, uint64(v))
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case string:
		return append(appendValue(b, len(v)), v...)
	case []string:
		b = appendValue(b, len(v))
		for _, s := range v {
			b = appendValue(b, s)
		}
		return b
	case openACL:
		return append(b, encode(1, 31, "world", "anyone")...)
	}
	panic(fmt.Sprintf("encode %T", value))
}

// parts are the operations of a multi.
func parts(all ...[]byte) []byte { return append(bytes.Join(all, nil), encode(-1, true, -1)...) }

// part is one operation within a multi.
func part(op int, body ...any) []byte { return append(encode(op, false, -1), encode(body...)...) }

// prefixed puts the length in front of a frame.
func prefixed(payload []byte) []byte { return append(encode(len(payload)), payload...) }

// connectRequest asks for a session; 0 is a new one.
func connectRequest(zxid, session int64, password string) []byte {
	return encode(0, zxid, 30_000, session, password, false)
}

var noPassword = strings.Repeat("\x00", 16)

// A line of a conversation that was recorded on a real server.
type line struct {
	request bool
	payload []byte
}

// recordedRoot is the path below which all of the recorded conversation is.
const recordedRoot = "/zktest/TestEveryOperation-1"

// recorded is a conversation with every operation; see package wire.
func recorded(tb testing.TB) (lines []line) {
	tb.Helper()
	data, err := os.ReadFile("../wire/testdata/conversation.txt")
	if err != nil {
		tb.Fatal(err)
	}
	for scan := bufio.NewScanner(bytes.NewReader(data)); scan.Scan(); {
		side, digits, _ := strings.Cut(scan.Text(), " ")
		payload, err := hex.DecodeString(digits)
		if err != nil {
			tb.Fatal(err)
		}
		lines = append(lines, line{request: side == ">", payload: payload})
	}
	return lines
}

// stripped makes the client's frame of a recorded one, without knowing how its
// operation is laid out: each string that begins with the root is a path.
func stripped(payload []byte) []byte {
	var out []byte
	for len(payload) > 0 {
		at := bytes.Index(payload, []byte(recordedRoot))
		if at < 0 {
			return append(out, payload...)
		}
		length := int(binary.BigEndian.Uint32(payload[at-4:]))
		path := strings.TrimPrefix(string(payload[at:at+length]), recordedRoot)
		if path == "" {
			path = "/"
		}
		out = append(append(out, payload[:at-4]...), encode(path)...)
		payload = payload[at+length:]
	}
	return out
}
