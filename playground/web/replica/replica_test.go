package replica_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/web/replica"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

// TestNoAnswer: where the cluster does not say which replica has a room, the error tells
// what to do, and is none of ours.
func TestNoAnswer(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	server := zktest.Start(t)
	joined, err := cluster.Join(t.Context(), cluster.Config{Servers: []string{server.Address()}, Base: server.Root(t), Name: "tests", Advertise: "http://a:1", Log: log})
	if err != nil {
		t.Fatal(err)
	}
	rooms := room.New(room.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		KeepDir: t.TempDir(), Claim: func(ctx context.Context, name string) (room.Claim, error) {
			return joined.Claim(ctx, name)
		}})
	var draining atomic.Bool
	r := replica.New(replica.Config{Cluster: joined, Rooms: rooms, Draining: &draining, Log: log})
	if err := errors.Join(rooms.Close(t.Context()), joined.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	mustBe := func(want error) {
		t.Helper()
		_, _, place := r.Place(t.Context(), room.Main)
		_, code := r.RoomOfCode(t.Context(), "abcdef")
		if !errors.Is(place, want) || !errors.Is(code, want) {
			t.Errorf("%v, and of a code %v, want %v", place, code, want)
		}
	}
	mustBe(replica.ErrUnknown)
	draining.Store(true)
	mustBe(replica.ErrMoved)
}
