package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
)

// ShareNothing makes a batch of events anew for each viewer, to measure what sharing is
// worth. It is called before there are viewers.
func (s *Server) ShareNothing() { s.batches.Keep = 0 }

func TestDownloadsWaitInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDownloads()
		var leave func()
		for range maxDownloads {
			var err error
			if leave, err = d.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.enter(t.Context()); err != errBusy {
			t.Errorf("one too many gets %v, want %v", err, errBusy)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := d.enter(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("one that goes gets %v", err)
		}
		time.AfterFunc(placeTimeout/2, leave)
		if _, err := d.enter(t.Context()); err != nil {
			t.Errorf("one that waits gets %v", err)
		}
	})
}

// Routes are all that the router knows, to ask each of them.
func (s *Server) Routes() []*echo.Route { return s.echo.Routes() }

// TestAPIListsEachRoute: API.md names each method and path that the router knows, and no other.
func TestAPIListsEachRoute(t *testing.T) {
	text, err := os.ReadFile("../API.md")
	if err != nil {
		t.Fatal(err)
	}
	parameter, query := regexp.MustCompile(`:(\w+)`), regexp.MustCompile(`\?.*`)
	listed := make(map[string]bool)
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\|").FindAllStringSubmatch(string(text), -1) {
		listed[query.ReplaceAllString(strings.Replace(row[1], "WS ", "GET ", 1), "")] = true
	}
	for _, route := range New(Config{Log: slog.New(slog.DiscardHandler)}).Routes() {
		if route.Method == http.MethodHead || route.Method == echo.RouteNotFound {
			continue // HEAD comes with GET
		}
		name := route.Method + " " + parameter.ReplaceAllString(route.Path, "{$1}")
		if !listed[name] {
			t.Errorf("API.md has no %s", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("there is no %s", name)
	}
}

// TestErrorsAreNamed by what they are: what nobody has named is ours, and is looked at.
func TestErrorsAreNamed(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		code   string
		ours   bool
	}{
		{fmt.Errorf("read events from 1: %w", io.EOF), 500, "internal", true},
		{fmt.Errorf("read a recording: %w", io.ErrUnexpectedEOF), 500, "internal", true},
		{&os.PathError{Op: "open", Path: "recording", Err: syscall.ENOSPC}, 500, "internal", true},
		{fmt.Errorf("wait for the run to end: %w", context.DeadlineExceeded), 503, "timeout", true},
		{fmt.Errorf("wait for another start: %w", context.Canceled), 503, "broken_off", false},
		{fmt.Errorf("%w: %w", room.ErrZooKeeper, context.DeadlineExceeded), 503, codeUnreachable, false},
		{fmt.Errorf("%w: %w", room.ErrZooKeeper, io.EOF), 503, codeUnreachable, false},
	} {
		if f, ours := failureOf(test.err); f.Status != test.status || f.Code != test.code || ours != test.ours {
			t.Errorf("%v: %d %s, ours: %v; want %d %s, %v", test.err, f.Status, f.Code, ours, test.status, test.code, test.ours)
		}
	}
}
