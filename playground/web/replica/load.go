package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/zkplayground/zkplayground/playground/room"
)

// LoadPath is where a replica tells the others its [Load].
const LoadPath = "/api/replica"

// A Load is how much a replica has to do.
type Load struct {
	Vacancy room.Vacancy `json:"vacancy"`
	Clients float64      `json:"clients"` // of runs under way
	Rooms   float64      `json:"rooms"`
}

// LeastLoaded is the replica that has a place for a room, and then the fewest clients, and
// then the fewest rooms, of those that answer; empty for this one. The error wraps
// room.ErrFull when none has a place.
func (r *Replicas) LeastLoaded(ctx context.Context) (string, error) {
	addresses, err := r.config.Cluster.Replicas(ctx)
	if err != nil {
		r.config.Log.Warn("a room begins here, as the others are not known", "error", err)
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	type loaded struct {
		address string
		Load
	}
	answers := make([]*loaded, len(addresses))
	var asking sync.WaitGroup
	for i, address := range addresses {
		asking.Go(func() {
			if found, err := r.load(ctx, address); err == nil {
				answers[i] = &loaded{address, found}
			}
		})
	}
	asking.Wait()
	answers = slices.DeleteFunc(answers, func(l *loaded) bool { return l == nil })
	if len(answers) == 0 {
		return "", nil
	}
	least := slices.MinFunc(answers, func(a, b *loaded) int {
		return cmp.Or(cmp.Compare(a.Vacancy, b.Vacancy), cmp.Compare(a.Clients, b.Clients), cmp.Compare(a.Rooms, b.Rooms))
	})
	if least.Vacancy == room.Full {
		return "", fmt.Errorf("%w: all rooms of the %d playgrounds of this cluster are in use; try again later, or start more of them, or with a higher -max-rooms", room.ErrFull, len(answers))
	}
	return least.address, nil
}

func (r *Replicas) load(ctx context.Context, address string) (found Load, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+r.config.BasePath+LoadPath, nil)
	if err != nil {
		return found, err
	}
	request.Header.Set(header, r.key)
	response, err := r.client.Do(request)
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return found, fmt.Errorf("replica %s: %s", address, response.Status)
	}
	return found, json.NewDecoder(response.Body).Decode(&found)
}
