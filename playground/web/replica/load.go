package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// LoadPath is where a replica tells the others its [Load].
const LoadPath = "/api/replica"

// A Load is how much a replica has to do.
type Load struct {
	Clients float64 `json:"clients"` // of runs under way
	Rooms   float64 `json:"rooms"`
}

// LeastLoaded is the replica with the fewest clients, and then the fewest rooms, of those
// that answer; empty for this one.
func (r *Replicas) LeastLoaded(ctx context.Context) string {
	addresses, err := r.config.Cluster.Replicas(ctx)
	if err != nil {
		r.config.Log.Warn("a room begins here, as the others are not known", "error", err)
		return ""
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
		return ""
	}
	return slices.MinFunc(answers, func(a, b *loaded) int {
		return cmp.Or(cmp.Compare(a.Clients, b.Clients), cmp.Compare(a.Rooms, b.Rooms))
	}).address
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
