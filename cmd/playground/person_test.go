package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// teacherToken is the one of a site that is started with it.
const teacherToken = "the-teachers-token"

// A person asks a site with cookies of its own. A person's is any secret.
type person struct {
	site   site
	name   string
	cookie string
}

func (s site) person(t *testing.T, name string) person {
	t.Helper()
	return person{s, name, "playground-" + s.port() + "=" + name}
}

// teacher is a person who has opened the teacher's link.
func (s site) teacher(t *testing.T) person {
	t.Helper()
	return s.openLink(t, s.person(t, "teacher"), teacherToken)
}

// openLink makes a person a teacher. The token must leave the address at once.
func (s site) openLink(t *testing.T, p person, token string) person {
	t.Helper()
	response, err := p.send(t, http.MethodGet, "/?teacher="+token, "")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if location := response.Header.Get("Location"); response.StatusCode != http.StatusSeeOther || location != "/" {
		t.Fatalf("the teacher's link: %s to %q, want 303 to /", response.Status, location)
	}
	for _, c := range response.Cookies() {
		p.cookie += "; " + c.Name + "=" + c.Value
	}
	return p
}

// port is the number that ends the site's address.
func (s site) port() string { return s.url[strings.LastIndex(s.url, ":")+1:] }

// send sends a request, and follows no redirection. The caller closes the answer's body.
func (p person) send(t *testing.T, method, path, body string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(t.Context(), method, p.site.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Cookie", p.cookie)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return client.Do(request)
}

// try sends a request and reads the answer; it may not come.
func (p person) try(t *testing.T, method, path, body string) (status int, answer []byte, err error) {
	response, err := p.send(t, method, path, body)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// must sends a request that must be answered with the status. Who asks too often waits.
func (p person) must(t *testing.T, want int, method, path, body string) []byte {
	t.Helper()
	var answer []byte
	eventually(t, method+" "+path, func() bool {
		status, text, err := p.try(t, method, path, body)
		if answer = text; err != nil || status != want && status != http.StatusTooManyRequests {
			t.Fatalf("%s: %s %s = %d, %v, want %d: %.500s", p.name, method, path, status, err, want, text)
		}
		return status == want
	})
	return answer
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
}
