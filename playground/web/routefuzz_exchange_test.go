package web_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
)

// A fuzzer sends requests over one connection, and over another when that is closed.
type fuzzer struct {
	*fuzz
	*rand.Rand
	conn   net.Conn // nil if there is none
	reader *bufio.Reader
}

// startLimit is how long the start of a run may take: on a machine that stands still for
// so long, ZooKeeper does not answer.
const startLimit = 10 * time.Second

// ask sends a request to a route and looks at the answer.
func (w *fuzzer) ask(route *echo.Route) {
	r := w.request(route)
	status, err := w.exchange(r)
	if err != nil {
		w.hangUp()
		if !r.wrong {
			w.Errorf("%s %.200s: %v\n%.2000s", r.method, r.target, err, r.text)
		}
	}
	w.count(route, status)
}

// exchange sends a request and reads the answer. Status is 0 when there is none.
func (w *fuzzer) exchange(r rawRequest) (status int, err error) {
	if w.conn == nil {
		if w.conn, err = net.Dial("tcp", w.address); err != nil {
			return 0, err
		}
		w.reader = bufio.NewReader(w.conn)
	}
	if err := w.conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := w.conn.Write(r.text); err != nil && !r.wrong {
		return 0, err
	}
	response, err := http.ReadResponse(w.reader, &http.Request{Method: r.method})
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusSwitchingProtocols {
		w.chat()
		w.hangUp()
		return response.StatusCode, nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil && response.StatusCode == http.StatusOK {
		w.hangUp() // a download that was broken off, because its run went
		return response.StatusCode, nil
	}
	if response.Close || r.wrong {
		w.hangUp()
	}
	if err == nil {
		err = w.judge(r, response, body, time.Since(began))
	}
	return response.StatusCode, err
}

// judge looks at an answer, and how long it took.
func (w *fuzzer) judge(r rawRequest, response *http.Response, body []byte, took time.Duration) error {
	ours := response.Header.Get("Content-Security-Policy") != ""
	switch {
	case !ours && (r.wrong || r.target == "*") && response.StatusCode < 500: // net/http's own
		return nil
	case !ours:
		return fmt.Errorf("status %d without our headers: %.300q", response.StatusCode, body)
	case response.StatusCode < 400 || r.method == http.MethodHead || response.Header.Get("Content-Encoding") != "":
		return nil
	}
	var answer struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Error.Code == "" || answer.Error.Message == "" {
		return fmt.Errorf("status %d, which is no error of ours: %.300q", response.StatusCode, body)
	}
	standstill := slices.Contains([]string{"zookeeper_unreachable", "timeout"}, answer.Error.Code) && took >= startLimit
	if response.StatusCode >= 500 && !slices.Contains(noPlace, answer.Error.Code) && !standstill {
		return fmt.Errorf("status %d %s", response.StatusCode, body)
	}
	return nil
}

// hangUp closes the connection.
func (w *fuzzer) hangUp() {
	if w.conn != nil {
		w.conn.Close()
		w.conn = nil
	}
}
