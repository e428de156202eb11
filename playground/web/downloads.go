package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

const (
	// maxDownloads is how many files are made at once; each takes some MB while it
	// lasts.
	maxDownloads = 8
	// placeTimeout is how long one more waits in line.
	placeTimeout = 20 * time.Second
	// workBytes is how much of a file is made at a time.
	workBytes = 32 << 10
)

// downloads bounds what is taken from the runs by those who load logs, recordings and
// pages: all of them together work half the time, on one processor.
type downloads struct {
	places *semaphore.Weighted
	turn   sync.Mutex // held by the one that works
}

func newDownloads() *downloads { return &downloads{places: semaphore.NewWeighted(maxDownloads)} }

// enter waits for a place; the caller leaves when done.
func (d *downloads) enter(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, placeTimeout, errBusy)
	defer cancel()
	if d.places.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	return func() { d.places.Release(1) }, nil
}

// A download is an answer that is made while it is written.
type download struct {
	contentType string
	name        string // of the file to save; empty for what is not to be saved
	size        int64  // in bytes; 0 if that is not known before
	plain       bool   // a text that compresses well
	write       func(io.Writer) error
}

// download answers with what is written. Where that fails, either the reader has gone
// or the run has made way for others: only a broken connection tells that a part is
// missing.
func (s *Server) download(c echo.Context, d download) error {
	ctx := c.Request().Context()
	leave, err := s.downloads.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	write := d.begin(c)
	out := deadlineWriter{c.Response(), s.config.WriteTimeout}
	s.downloads.turn.Lock()
	defer s.downloads.turn.Unlock()
	work := &workWriter{ctx: ctx, turn: &s.downloads.turn, to: out, began: time.Now()}
	if work.all(write) != nil || out.done() != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// begin sends the headers, and returns how to write what follows.
func (d download) begin(c echo.Context) (write func(io.Writer) error) {
	write = d.write
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, d.contentType)
	header.Set("Cache-Control", "no-store")
	if d.name != "" {
		header.Set(echo.HeaderContentDisposition, fmt.Sprintf("attachment; filename=%q", d.name))
	}
	if d.size > 0 {
		header.Set(echo.HeaderContentLength, strconv.FormatInt(d.size, 10))
	}
	if d.plain {
		header.Set(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip") {
			header.Set(echo.HeaderContentEncoding, "gzip")
			write = packed(write)
		}
	}
	c.Response().WriteHeader(http.StatusOK)
	return write
}

// packed compresses what is written, quickly.
func packed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		compressor, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
		if err != nil {
			return err
		}
		if err := write(compressor); err != nil {
			return err // and no end, so that what is there does not seem whole
		}
		return compressor.Close()
	}
}

// A workWriter is the answer of one download. It has the turn while the next part is
// made, rests as long as that took, and gives the turn to others while the part goes
// out: a reader may be slow.
type workWriter struct {
	ctx   context.Context
	turn  *sync.Mutex
	to    io.Writer
	began time.Time
}

// all writes everything, in parts that are worth a turn.
func (w *workWriter) all(write func(io.Writer) error) error {
	parts := bufio.NewWriterSize(w, workBytes)
	if err := write(parts); err != nil {
		return err
	}
	return parts.Flush()
}

func (w *workWriter) Write(b []byte) (int, error) {
	clock.Sleep(w.ctx, time.Since(w.began))
	w.turn.Unlock()
	n, err := w.to.Write(b)
	w.turn.Lock()
	w.began = time.Now()
	return n, err
}

// A deadlineWriter gives the reader of an answer so much time for each part of it.
type deadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration
}

func (w deadlineWriter) Write(b []byte) (int, error) {
	if err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// done lets the next request on the connection take its time.
func (w deadlineWriter) done() error {
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{})
}
