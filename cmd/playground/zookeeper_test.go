package main

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// connect opens a session that ends with the test.
func connect(t *testing.T, address string) *wire.Client {
	t.Helper()
	client, err := wire.Dial(t.Context(), address, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The server, and so the session, may be gone by now.
		_ = client.CloseSession(context.Background())
		client.Close()
	})
	return client
}

// children lists, sorted, the children of the root.
func children(t *testing.T, client *wire.Client) []string {
	t.Helper()
	names, _, err := client.Children(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

var globalSessions = regexp.MustCompile(`(?m)^zk_global_sessions\t([0-9]+)$`)

// countSessions asks the server how many sessions there are, those that wait to
// expire included.
func countSessions(t *testing.T, address string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	answer, err := zkserver.Ask(ctx, address, "mntr")
	found := globalSessions.FindStringSubmatch(answer)
	if err != nil || found == nil {
		t.Fatalf("mntr = %q, %v; want zk_global_sessions", answer, err)
	}
	count, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return count
}
