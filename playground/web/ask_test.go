package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// An answer is a response, read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request with headers, given as name and value in turn.
func (s *site) ask(method, path, body string, headers ...string) answer {
	s.Helper()
	request, err := http.NewRequestWithContext(s.within(), method, "http://"+s.address+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	return s.send(request)
}

func (s *site) send(request *http.Request) answer {
	s.Helper()
	response, err := s.client.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatalf("%s %s: %v", request.Method, request.URL.Path, err)
	}
	return answer{response.StatusCode, response.Header, text}
}

// failure is the code and the message of an answer that must be an error, and
// nothing else.
func (s *site) failure(a answer) (code, message string) {
	s.Helper()
	var body struct {
		Error struct{ Code, Message string }
	}
	decoder := json.NewDecoder(strings.NewReader(string(a.body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		s.Errorf("%d %.300q is no error of ours: %v", a.status, a.body, err)
	}
	if body.Error.Message == "" {
		s.Errorf("%d %.300q has no message", a.status, a.body)
	}
	return body.Error.Code, body.Error.Message
}

// get asks for path and decodes the answer, which must be 200.
func (s *site) get(path string, into any) {
	s.Helper()
	s.decode(s.ask(http.MethodGet, path, ""), http.StatusOK, into)
}

func (s *site) decode(a answer, status int, into any) {
	s.Helper()
	if a.status != status {
		s.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		s.Fatalf("%q: %v", a.body, err)
	}
}
