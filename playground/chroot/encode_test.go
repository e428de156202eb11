package chroot_test

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
)

// ZooKeeper's numbers of some operations.
const (
	create, remove, exists, getData, setData, setACL, getChildren, sync = 1, 2, 3, 4, 5, 7, 8, 9
	ping, check, multi, reconfig, removeWatches, multiRead              = 11, 13, 14, 16, 18, 22
	setWatches, getEphemerals, addWatch, closeSession                   = 101, 103, 106, -11
)

// What stands in most lines of these tests has a short name here.

type openACL = wiretest.OpenACL

func encode(values ...any) []byte { return wiretest.Encode(values...) }

func prefixed(payload []byte) []byte { return wiretest.Prefixed(payload) }

// parts are the operations of a multi.
func parts(all ...[]byte) []byte { return append(bytes.Join(all, nil), encode(-1, true, -1)...) }

// part is one operation within a multi.
func part(op int, body ...any) []byte { return append(encode(op, false, -1), encode(body...)...) }

// connectRequest asks for a session; 0 is a new one.
func connectRequest(zxid, session int64, password string) []byte {
	return encode(0, zxid, 30_000, session, password, false)
}

var noPassword = strings.Repeat("\x00", 16)

// stripped makes the client's frame of a recorded one, without knowing how its
// operation is laid out: each string that begins with the root is a path.
func stripped(payload []byte) []byte {
	var out []byte
	for len(payload) > 0 {
		at := bytes.Index(payload, []byte(wiretest.Root))
		if at < 0 {
			return append(out, payload...)
		}
		length := int(binary.BigEndian.Uint32(payload[at-4:]))
		path := strings.TrimPrefix(string(payload[at:at+length]), wiretest.Root)
		if path == "" {
			path = "/"
		}
		out = append(append(out, payload[:at-4]...), encode(path)...)
		payload = payload[at+length:]
	}
	return out
}
