package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
)

func TestEventsAreCompressed(t *testing.T) {
	s := open(t)
	s.fill()
	s.ask(http.MethodDelete, runPath, "")
	plain := s.ask(http.MethodGet, eventsPath, "")
	if got := plain.header.Get("Content-Encoding"); got != "" {
		t.Errorf("who wants no compression gets %s", got)
	}
	packed := s.ask(http.MethodGet, eventsPath, "", "Accept-Encoding", "gzip")
	if got := packed.header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("who wants gzip gets %q", got)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, plain.body) || len(packed.body) > len(text)/4 {
		t.Errorf("%d bytes become %d; they were %d", len(packed.body), len(text), len(plain.body))
	}
}

// TestSlowDownloadsHoldUpNobody lets all but one of the places be had by readers that do
// not read on.
func TestSlowDownloadsHoldUpNobody(t *testing.T) {
	s := open(t, narrowed)
	s.start(`{"scenario": ` + still + `}`)
	events := s.flood().Len()
	one := make([]byte, 1)
	for range 7 {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", eventsPath, s.address)
		if _, err := conn.Read(one); err != nil { // it has begun
			t.Fatal(err)
		}
	}
	if _, run := s.download(recordingPath); run.Events < events {
		t.Errorf("the recording has %d events of %d", run.Events, events)
	}
}
