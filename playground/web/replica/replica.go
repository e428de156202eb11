// Package replica is what one playground of several that share the rooms out knows of the
// others: which has a room, which has the least to do, and how a request gets there.
//
// Each playground answers for all. Package web says which rooms a request may be about;
// [Replicas.Place] finds the playground that has the first of them that exists, and takes
// over a room whose playground is gone; [Replicas.Carry] passes the request on.
package replica

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/room"
)

const (
	// header has the key of the replicas in what one carries to another.
	header = "Playground-Replica"
	// reachTimeout is how long one may take to answer the other's call.
	reachTimeout = time.Second
)

var (
	// ErrMoved is returned for a room that another replica is about to have.
	ErrMoved = errors.New("the room is changing its playground, try again in a moment")
	// ErrAway is returned for a room of a replica that does not answer.
	ErrAway = errors.New("the playground that has this room does not answer; another takes the room over, try again in some seconds")
)

// ErrUnknown is returned while ZooKeeper does not say which replica has a room.
var ErrUnknown = errors.New("ZooKeeper does not say which playground has this room, try again in some seconds")

// Config is what [New] needs.
type Config struct {
	Cluster *cluster.Cluster
	Rooms   *room.Rooms
	// BasePath is what every address of a replica begins with.
	BasePath string
	// Draining says that this replica is about to stop.
	Draining *atomic.Bool
	Log      *slog.Logger
}

// Replicas are all playgrounds that share the rooms, as one of them sees them. Its methods
// are safe for concurrent use.
type Replicas struct {
	config Config
	key    string
	client *http.Client

	mu       sync.Mutex
	followed map[followedRoom]*followed
}

// New returns the replicas of a cluster.
func New(config Config) *Replicas {
	dialer := net.Dialer{Timeout: reachTimeout}
	return &Replicas{config: config, key: config.Cluster.Key("replica"), followed: make(map[followedRoom]*followed),
		client: &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 100}}}
}

// Sent says whether another replica has sent a request; a playground that is alone has none.
func (r *Replicas) Sent(request *http.Request) bool {
	return r != nil && hmac.Equal([]byte(request.Header.Get(header)), []byte(r.key))
}

// Here says whether an address is that of this replica. An empty one is.
func (r *Replicas) Here(address string) bool {
	return address == "" || address == r.config.Cluster.Here()
}

// RoomOfCode is the room of the class with a code, empty if there is none.
func (r *Replicas) RoomOfCode(ctx context.Context, code string) (string, error) {
	name, err := r.config.Cluster.RoomOfCode(ctx, room.NormalCode(code))
	return name, r.explain(err)
}

// Place is the first of some rooms that exists, and the address of the replica that has it,
// empty for this one. The name is empty if none exists.
func (r *Replicas) Place(ctx context.Context, names ...string) (name, address string, err error) {
	for _, name := range names {
		if !room.IsName(name) {
			continue
		}
		if address, found, err := r.owner(ctx, name); found || err != nil {
			return name, address, r.explain(err)
		}
	}
	return "", "", nil
}

// explain makes an error of the cluster one that says what to do.
func (r *Replicas) explain(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrMoved) || errors.Is(err, room.ErrFull) || errors.Is(err, room.ErrClosed):
		return err
	case r.config.Draining.Load(): // it has left the cluster
		return ErrMoved
	default:
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}
}

// owner is the address of the replica that has a room, empty for this one; a room that
// nobody has any more it takes over. Found is false if there is no such room.
func (r *Replicas) owner(ctx context.Context, name string) (address string, found bool, err error) {
	if _, err := r.config.Rooms.Get(name); err == nil {
		return "", true, nil
	}
	address, err = r.config.Cluster.Owner(ctx, name)
	if err != nil || !r.Here(address) {
		return address, true, err
	}
	text, err := r.config.Cluster.Kept(ctx, name)
	if err != nil || text == nil && name != room.Main {
		return "", false, err
	}
	if r.config.Draining.Load() {
		return "", true, ErrMoved
	}
	class := room.ClassRoomOf(text)
	if class != "" && class != name {
		if address, found, err := r.owner(ctx, class); err != nil || found && address != "" {
			return address, true, err
		}
	}
	if class == "" && r.config.Rooms.Vacancy() != room.Vacant { // no other room has to go if another replica has a place
		if address, err := r.LeastLoaded(ctx); err != nil || !r.Here(address) {
			return address, true, err
		}
	}
	err = r.config.Rooms.TakeOver(ctx, name)
	switch {
	case errors.Is(err, cluster.ErrOwned): // somebody was quicker
		return "", true, ErrMoved
	case errors.Is(err, room.ErrNoRoom):
		return "", false, nil
	}
	return "", true, err
}

// Exists says whether any replica has a room, or may take it over.
func (r *Replicas) Exists(ctx context.Context, name string) bool {
	if !room.IsName(name) {
		return false
	}
	if owner, err := r.config.Cluster.Owner(ctx, name); err == nil && owner != "" {
		return true
	}
	text, err := r.config.Cluster.Kept(ctx, name)
	return err == nil && text != nil
}
