package web_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

func TestPageAndAssets(t *testing.T) {
	s := open(t)
	for path, contentType := range map[string]string{
		"/":                              "text/html; charset=utf-8",
		"/static/index.html":             "text/html; charset=utf-8",
		"/static/js/source/live.js":      "text/javascript; charset=utf-8",
		"/static/css/page.css":           "text/css; charset=utf-8",
		"/static/css/icon.svg":           "image/svg+xml",
		"/lessons/code.css":              "text/css; charset=utf-8",
		"/lessons/en/herd-effect":        "text/html; charset=UTF-8",
		"/lessons/en":                    "text/html; charset=UTF-8",
		"/teacher/ru":                    "text/html; charset=UTF-8",
		"/teacher/en/herd-effect":        "text/html; charset=UTF-8",
		"/teacher/en/plan-45":            "text/html; charset=UTF-8",
		"/teacher/zh/solutions":          "text/html; charset=UTF-8",
		"/static/drawings/queue.svg":     "image/svg+xml",
		"/static/./js//source/live.js":   "text/javascript; charset=utf-8",
		"/static/css/../js/shell/app.js": "text/javascript; charset=utf-8",
	} {
		a := s.ask(http.MethodGet, path, "")
		if a.status != http.StatusOK || a.header.Get("Content-Type") != contentType || len(a.body) == 0 {
			t.Errorf("%s: %d, %s, %d bytes; want 200, %s", path, a.status, a.header.Get("Content-Type"), len(a.body), contentType)
		}
	}
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/", "/static/js/source/live.js"} {
		first := s.ask(http.MethodGet, path, "")
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: ETag %q, Cache-Control %q", path, tag, first.header.Get("Cache-Control"))
		}
		again := s.ask(http.MethodGet, path, "", "If-None-Match", tag)
		if again.status != http.StatusNotModified || len(again.body) != 0 || again.header.Get("ETag") != tag {
			t.Errorf("%s again: %d, %d bytes; want 304", path, again.status, len(again.body))
		}
		other := s.ask(http.MethodGet, path, "", "If-None-Match", `"another"`)
		if other.status != http.StatusOK || !bytes.Equal(other.body, first.body) {
			t.Errorf("%s with another tag: %d, %d bytes; want all of it", path, other.status, len(other.body))
		}
	}
}

func TestNothingButFilesIsServed(t *testing.T) {
	s := open(t)
	for _, path := range []string{
		"/static", "/static/", "/static/js", "/static/js/", "/static/nothing.js",
		"/static/..", "/static/../page.go", "/static/../../web/page.go", "/static/%2e%2e/static.go",
		"/static/..%2f..%2fetc%2fpasswd", "/static//etc/passwd", "/static/static.go", "/static/%ff", "/static/a%00b",
		`/static/..\..\go.mod`,
	} {
		a := s.ask(http.MethodGet, path, "")
		code, _ := s.failure(a)
		if a.status != http.StatusNotFound || code != "not_found" {
			t.Errorf("%s: %d %s, want 404 not_found", path, a.status, code)
		}
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/", "/static/js/source/live.js", "/healthz", "/lessons/en/herd-effect"} {
		if a := s.ask(http.MethodHead, path, ""); a.status != http.StatusOK || len(a.body) != 0 {
			t.Errorf("HEAD %s: %d, %d bytes; want 200 and none", path, a.status, len(a.body))
		}
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	s := open(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.address+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	if a := s.send(request); a.header.Get("Content-Encoding") != "gzip" || !bytes.HasPrefix(a.body, []byte{0x1f, 0x8b}) {
		t.Errorf("Content-Encoding %q", a.header.Get("Content-Encoding"))
	}
}

func TestLessons(t *testing.T) {
	s := open(t)
	var list struct {
		Lessons []struct {
			Locale, Slug, Title, Scenario string
			Order                         int
		}
	}
	s.get("/api/lessons", &list)
	if len(list.Lessons) < 3 {
		t.Fatalf("lessons %+v", list.Lessons)
	}
	for _, l := range list.Lessons {
		document := string(s.ask(http.MethodGet, "/lessons/"+l.Locale+"/"+l.Slug, "").body)
		if !strings.Contains(document, "<article") || !strings.Contains(document, l.Title) {
			t.Errorf("lesson %s has no article or no title:\n%.300s", l.Slug, document)
		}
		if _, err := mustShip(t).Find(l.Scenario); err != nil || l.Order < 1 {
			t.Errorf("lesson %+v: %v", l, err)
		}
	}
}

func TestLessonInALocaleThatIsNotThere(t *testing.T) {
	s := open(t)
	a := s.ask(http.MethodGet, "/lessons/tlh/herd-effect", "")
	if a.status != http.StatusOK || !strings.Contains(string(a.body), `lang="en"`) {
		t.Errorf("%d, want the English one", a.status)
	}
}
