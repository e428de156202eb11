package zktest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
)

// Watches asks the server who watches what: for every path, the ids of the
// sessions that watch its data or its existence, in ascending order. The server
// does not report watches on children. It is only for a server with an admin
// server, as [Start] gives it.
func (s *Server) Watches(tb testing.TB) map[string][]int64 {
	tb.Helper()
	watches, err := fetchWatches(tb.Context(), s.managed.AdminAddress())
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	return watches
}

func fetchWatches(ctx context.Context, admin string) (map[string][]int64, error) {
	url := "http://" + admin + "/commands/watches"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var report watchReport
	if err := json.NewDecoder(response.Body).Decode(&report); err != nil {
		return nil, fmt.Errorf("read %s: %w", url, err)
	}
	return report.byPath()
}

// A watchReport is the admin server's answer.
type watchReport struct {
	// Paths has session ids as decimal keys, also of sessions without watches.
	Paths map[string][]string `json:"session_id_to_watched_paths"`
	Error *string             `json:"error"`
}

func (r watchReport) byPath() (map[string][]int64, error) {
	if r.Error != nil {
		return nil, fmt.Errorf("the admin server says: %s", *r.Error)
	}
	watches := make(map[string][]int64)
	for key, paths := range r.Paths {
		session, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read a session id: %w", err)
		}
		for _, path := range paths {
			watches[path] = append(watches[path], session)
		}
	}
	for _, sessions := range watches {
		slices.Sort(sessions)
	}
	return watches, nil
}
