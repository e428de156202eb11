package chroot

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
)

func TestPaths(t *testing.T) {
	const (
		plain      = wire.PathField
		sequential = wire.SequentialField
		deleted    = wire.DeleteField
		prefix     = wire.PrefixField
	)
	for _, test := range []struct {
		kind         wire.FieldKind
		path, server string
	}{
		{plain, "/", "/rooms/r1"},
		{plain, "/a", "/rooms/r1/a"},
		{plain, "/a/", "/rooms/r1/a/"},
		{plain, "/rooms/r1", "/rooms/r1/rooms/r1"},
		{plain, "/..", "/rooms/r1/.."},
		{sequential, "/", "/rooms/r1/"},
		{sequential, "/a", "/rooms/r1/a"},
		{sequential, "0", "/rooms/r1/\x000"},
		{deleted, "/", "/rooms/r1/\x00/"},
		{deleted, "/a", "/rooms/r1/a"},
		{prefix, "/", "/rooms/r1/"},
		{prefix, "", "/rooms/r1/"},
		{prefix, "/a", "/rooms/r1/a"},
		{prefix, "0", "/rooms/r1/\x000"},
		{plain, "", "/rooms/r1/\x00"},
		{plain, "0/a", "/rooms/r1/\x000/a"},
		{plain, "/zookeeper", "/rooms/r1/\x00/zookeeper"},
		{plain, "/zookeeper/quota/a", "/rooms/r1/\x00/zookeeper/quota/a"},
		{plain, "/zookeepers", "/rooms/r1/zookeepers"},
	} {
		r := root("/rooms/r1")
		got := r.server(test.kind, test.path)
		if got != test.server {
			t.Errorf("%q of kind %d is %q on the server, want %q", test.path, test.kind, got, test.server)
		}
		back, inside := r.client(got)
		want := test.path
		if test.kind == prefix && want == "" {
			want = "/"
		}
		if back != want || !inside {
			t.Errorf("%q is %q for the client, %v; want %q", got, back, inside, want)
		}
	}
}

func TestOutside(t *testing.T) {
	for _, path := range []string{"", "/", "/rooms", "/rooms/r10", "/rooms/r10/a", "/rooms/r2", "rooms/r1"} {
		if got, inside := root("/rooms/r1").client(path); inside {
			t.Errorf("%s is taken for %q", path, got)
		}
	}
}
