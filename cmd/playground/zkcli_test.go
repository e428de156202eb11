package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkcli"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestCompleted: the tab key goes on as far as there is one way only.
func TestCompleted(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	console, err := zkcli.New(zkcli.Config{Server: server.Address(), Connect: connector(zkcli.DefaultTimeout),
		Output: func(zkcli.Stream, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer console.Close(ctx)
	for _, name := range []string{"/lock-1", "/lock-2", "/other"} {
		console.Execute(ctx, "create "+root+name)
	}
	for _, test := range []struct {
		line, done string
		candidates []string
	}{
		{"hist", "history ", []string{"history"}},
		{"getA", "getA", []string{"getAcl", "getAllChildrenNumber"}},
		{"nope", "nope", nil},
		{"ls ROOT/l", "ls ROOT/lock-", []string{"lock-1", "lock-2"}},
		{"ls ROOT/o", "ls ROOT/other", []string{"other"}},
		{"ls ROOT/x", "ls ROOT/x", nil},
	} {
		line, want := strings.ReplaceAll(test.line, "ROOT", root), strings.ReplaceAll(test.done, "ROOT", root)
		done, candidates := completed(ctx, console, line)
		if done != want || !slices.Equal(candidates, test.candidates) {
			t.Errorf("%q is completed to %q with %q, want %q with %q", line, done, candidates, want, test.candidates)
		}
	}
}

func TestClientAddresses(t *testing.T) {
	t.Parallel()
	for servers, want := range map[string]string{
		"localhost":          "localhost:2181",
		"a:1,b":              "a:1 b:2181",
		"[::1]:2182":         "[::1]:2182",
		"a:1:2":              "address a:1:2: too many colons in address",
		":2181":              ":2181: the host is missing",
		"":                   ":2181: the host is missing",
		"a:1/chroot":         "a:1/chroot: a path behind the server is not supported",
		"a:1,":               ":2181: the host is missing",
		"localhost:2181,b:2": "localhost:2181 b:2",
	} {
		list, err := clientAddresses(servers)
		got := strings.Join(list, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("clientAddresses(%q) = %q, want %q", servers, got, want)
		}
	}
}
