package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"
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
