package chroot_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var hostileRequests = flag.Int("hostile-requests", 5_000, "how many requests try to get out of a room")

const fuzzedRoot = "/rooms/r1"

// FuzzConn takes streams of any bytes from both sides. Whatever a client sends, the
// server's side reads whole frames whose paths are all below the root; whatever a
// server sends, the client's side reads whole frames.
func FuzzConn(f *testing.F) {
	var client, server []byte
	for _, l := range wiretest.Recorded(f) {
		if l.Request {
			client = append(client, prefixed(stripped(l.Payload))...)
		} else {
			server = append(server, prefixed(l.Payload)...)
		}
	}
	f.Add(client, server, uint8(100))
	f.Add(client[:len(client)/2], []byte{}, uint8(1))
	f.Add(prefixed(connectRequest(0, 0, noPassword)), []byte{0, 0, 0}, uint8(3))
	opened := prefixed(encode(0, 30_000, int64(77), noPassword, false))
	for _, request := range [][]byte{
		encode(1, create, "/", "", openACL{}, 2), encode(1, getEphemerals, ""), encode(1, exists, "..", true),
		encodeMulti(part(remove, "/", -1), part(create, "0", "", openACL{}, 2)),
	} {
		f.Add(append(prefixed(connectRequest(0, 0, noPassword)), prefixed(request)...), opened, uint8(7))
	}
	f.Fuzz(func(t *testing.T, client, server []byte, cut uint8) {
		c, err := chroot.NewConn(chroot.ConnConfig{
			Root: fuzzedRoot, Sessions: chroot.NewSessions(), Limits: chroot.Limits{Watches: 10, Requests: 100},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		seen := newSeen(t)
		requests, replies := wire.NewFramer(1<<20), wire.NewFramer(1<<20)
		for size := int(cut) + 1; len(client)+len(server) > 0; {
			client = feedSome(requests, client, size, func(frame []byte) error {
				toServer, toClient, err := c.Request(frame)
				seen.server(toServer)
				seen.client(toClient)
				return err
			})
			server = feedSome(replies, server, size, func(frame []byte) error {
				toClient, err := c.Reply(frame)
				seen.client(toClient)
				return err
			})
		}
	})
}

// feedSome gives a framer the next bytes, and returns those that are left: none after
// an error.
func feedSome(framer *wire.Framer, rest []byte, size int, take func([]byte) error) []byte {
	size = min(size, len(rest))
	var failure error
	err := framer.Feed(rest[:size], func(frame []byte) {
		if failure == nil {
			failure = take(frame)
		}
	})
	if err != nil || failure != nil {
		return nil
	}
	return rest[size:]
}

// seen reads what leaves on both sides.
type seen struct {
	*testing.T
	decoder              *wire.Decoder
	toServer, fromServer *wire.Framer
}

func newSeen(t *testing.T) *seen {
	d := wire.NewDecoder()
	d.LocateFields = true
	return &seen{T: t, decoder: d, toServer: wire.NewFramer(0), fromServer: wire.NewFramer(0)}
}

func (s *seen) server(stream []byte) {
	s.whole(stream, func(payload []byte) {
		f := s.decoder.Request(payload)
		if f.Kind == wire.Undecoded {
			s.Fatalf("the server gets what cannot be read: %s: %x", f.Why, payload)
		}
		for _, field := range f.Fields {
			path := string(payload[field.Start:field.End])
			if field.Kind != wire.PasswordField && path != fuzzedRoot && !strings.HasPrefix(path, fuzzedRoot+"/") {
				s.Fatalf("the server gets %s of %q", f.Op, path)
			}
			if path == fuzzedRoot && (field.Kind == wire.DeleteField || field.Kind == wire.SequentialField || field.Kind == wire.PrefixField) {
				s.Fatalf("the server gets %s of the root", f.Op)
			}
		}
	})
}

func (s *seen) client(stream []byte) { s.whole(stream, func([]byte) {}) }

// whole takes a stream of whole frames apart.
func (s *seen) whole(stream []byte, each func(payload []byte)) {
	for len(stream) > 0 {
		length := int(binary.BigEndian.Uint32(stream))
		if length+4 > len(stream) {
			s.Fatalf("a frame is not whole: %x", stream)
		}
		each(stream[4 : 4+length])
		stream = stream[4+length:]
	}
}

// A server that is asked anything by a guest has the same tree beside the room as
// before, and the guest has heard nothing of it. The server itself is asked, so this
// does not hang on how frames are read here.
func TestNothingGetsOut(t *testing.T) {
	const secret = "unspoken" // by guests: they name what they like
	server := zktest.Start(t)
	parent := server.Root(t)
	root, neighbour := room(t, server, parent, "r1"), room(t, server, parent, "r10")
	conn := server.Conn(t)
	for _, path := range []string{neighbour + "/" + secret, neighbour + "/lock", parent + "/" + secret} {
		if _, err := conn.Create(path, []byte(secret), zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	}
	look := func() (all []string) {
		for _, path := range []string{parent, neighbour, neighbour + "/" + secret, neighbour + "/lock", parent + "/" + secret} {
			children, _, err := conn.Children(path)
			if err != nil {
				t.Fatal(err)
			}
			data, stat, err := conn.Get(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, path, strings.Join(children, " "), string(data))
			if path != parent {
				all = append(all, fmt.Sprintf("%+v", *stat))
			}
		}
		return all
	}
	before := look()
	h := house(t, server, root, nil)
	random := rand.New(rand.NewPCG(18, 2281))
	for sent := 0; sent < *hostileRequests; {
		s := speak(t, h.address)
		burst := 1 + random.IntN(500)
		for xid := 1; xid <= burst; xid++ {
			if _, err := s.Write(prefixed(randomRequest(random, xid, parent))); err != nil {
				break // a request has ended the connection
			}
		}
		sent += burst
		if _, err := s.Write(prefixed(encode(burst+1, closeSession))); err == nil {
			data := s.untilEnd()
			if strings.Contains(data, secret) {
				t.Fatalf("a guest hears of what is beside its room: %q", data)
			}
		}
	}
	if diff := cmp.Diff(before, look()); diff != "" {
		t.Errorf("beside the room (-before +after): %s", diff)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.frames < *hostileRequests {
		t.Errorf("%d frames passed, so most requests were not what a server is asked", h.frames)
	}
}

// randomRequest is a request that may well be one, and whose paths try to get out.
func randomRequest(random *rand.Rand, xid int, parent string) []byte {
	ops := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 17, 18, 19, 21, 100, 103, 104, 106, 107}
	op := ops[random.IntN(len(ops))]
	var payload []byte
	switch random.IntN(8) {
	case 0:
		var all [][]byte
		for range random.IntN(4) {
			op := []int{create, remove, setData, check, 15, 19, 21}[random.IntN(7)]
			all = append(all, append(encode(op, false, -1), randomBody(random, op, parent)...))
		}
		payload = append(encode(xid, multi), parts(all...)...)
	case 1:
		list := func() []string { return []string{randomPath(random, parent), randomPath(random, parent)} }
		payload = encode(xid, setWatches, int64(random.IntN(1000)), list(), list(), list())
	default:
		if op == ping {
			xid = -2
		}
		payload = append(encode(xid, op), randomBody(random, op, parent)...)
	}
	if random.IntN(20) == 0 && len(payload) > 8 { // not in the header, or most connections would end at once
		payload[8+random.IntN(len(payload)-8)] ^= byte(1 << random.IntN(8))
	}
	return payload
}

func randomBody(random *rand.Rand, op int, parent string) []byte {
	path := randomPath(random, parent)
	switch op {
	case create, 15, 19:
		return encode(path, "x", openACL{}, random.IntN(5))
	case 21:
		return encode(path, "x", openACL{}, 5+random.IntN(2), int64(60_000))
	case remove, check, 17, removeWatches:
		return encode(path, random.IntN(4)-1)
	case setData:
		return encode(path, "y", -1)
	case setACL:
		return encode(path, openACL{}, -1)
	case exists, getData, getChildren, 12:
		return encode(path, random.IntN(2) == 0)
	case addWatch:
		return encode(path, random.IntN(2))
	case 100:
		return encode(0, "digest", "user:secret")
	case ping, 107:
		return nil
	}
	return encode(path)
}

func randomPath(random *rand.Rand, parent string) string {
	top := []string{"", "/", "0", "/lock", "/zookeeper", "/zookeeper/config", "..", "/..", "/../r10", parent, parent + "/r10", "/0/lock", "\x00", "/r1"}
	names := []string{"", "", "", "/", "/lock", "/lock/0", "0", "/..", "//", "\xff", "/\x00"}
	return top[random.IntN(len(top))] + names[random.IntN(len(names))]
}
