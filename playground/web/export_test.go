package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/static"
)

const exportPath = "/api/rooms/main/export.html"

// bundled gives a site a page whose script is bundled, as that of the program is.
func bundled(t testing.TB) func(*setup) {
	return func(u *setup) {
		template, err := static.Files.ReadFile("saved.html")
		if err != nil {
			t.Fatal(err)
		}
		u.web.Static = fstest.MapFS{
			"saved.html":         {Data: template},
			"lib/page/saved.js":  {Data: []byte(`console.log(1)`)},
			"lib/page/saved.css": {Data: []byte(`body { margin: 0 }`)},
		}
	}
}

func TestExportPage(t *testing.T) {
	s := open(t, bundled(t))
	if a := s.ask(http.MethodGet, exportPath, ""); a.status != http.StatusNotFound || !strings.Contains(string(a.body), "no_such_run") {
		t.Errorf("before the first run: %d %s", a.status, a.body)
	}
	id := s.startQuick().ID
	s.await(s.run(), kind(event.LockReleased))
	for _, path := range []string{exportPath, exportPath + "?run=" + id} {
		a := s.ask(http.MethodGet, path, "", "Accept-Encoding", "gzip")
		if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/html; charset=UTF-8" || a.header.Get("Content-Encoding") != "" {
			t.Fatalf("%s: %d, %v: %.300q", path, a.status, a.header, a.body)
		}
		want := fmt.Sprintf(`attachment; filename="quick-seed1-%s.html"`, id)
		if got := a.header.Get("Content-Disposition"); got != want {
			t.Errorf("Content-Disposition: %s, want %s", got, want)
		}
		if text := string(a.body); !strings.HasPrefix(text, "<!doctype html>") || !strings.HasSuffix(text, "</html>\n") {
			t.Errorf("%s is not whole: %.60q … %.60q", path, text, text[max(0, len(text)-60):])
		}
	}
	s.startQuick() // the run before is kept
	if a := s.ask(http.MethodGet, exportPath+"?run="+id, ""); a.status != http.StatusOK {
		t.Errorf("the run that is kept: %d %.200q", a.status, a.body)
	}
}

func TestExportPageNotBundled(t *testing.T) {
	s := open(t, bundled(t), func(u *setup) { delete(u.web.Static.(fstest.MapFS), "lib/page/saved.js") })
	s.startQuick()
	if a := s.ask(http.MethodGet, exportPath, ""); a.status != http.StatusServiceUnavailable || !strings.Contains(string(a.body), "make lib") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}
