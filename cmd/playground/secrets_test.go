package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestNoSecretIsTold: the teacher's token is printed once, in the link, and it, the
// cookies and the code of a class stand nowhere else that somebody might read who is not
// meant to: neither in what the program prints, nor in metrics, events, recordings and
// exports, nor in a file.
func TestNoSecretIsTold(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := serve(t, nil, "-zookeeper", zktest.StartOwn(t, zkserver.Config{}).Address(), "-data", data)
	token := s.stdout.await(t, `(?m)^teacher link http://\S+/\?teacher=(\S+)$`)
	teacher := s.openLink(t, s.person(t, "a-teachers-own-secret"), token)
	student := s.person(t, "a-students-own-secret")
	secrets := map[string]string{"token": token, "the teacher's own cookie": teacher.name, "the student's cookie": student.name}
	for _, cookie := range strings.Split(teacher.cookie, "; ") {
		if name, value, _ := strings.Cut(cookie, "="); strings.HasPrefix(name, "playground-teacher-") {
			secrets["the teacher's cookie"] = value
		}
	}
	if len(secrets) != 4 {
		t.Fatalf("the teacher's cookies are %q", teacher.cookie)
	}

	var class struct{ Room, Code string }
	decode(t, teacher.must(t, http.StatusCreated, "POST", "/api/classes", ""), &class)
	secrets["code"] = class.Code
	room := "/api/rooms/" + class.Room
	s.beAtWork(t, teacher, student, room, class.Code)

	told := map[string][]byte{"/metrics": teacher.must(t, http.StatusOK, "GET", "/metrics", "")}
	for _, p := range []person{teacher, student} {
		for _, path := range []string{"/events", "/summary", "/runs", "/export.html", "/recording"} {
			told[p.name+" GET "+path] = p.must(t, http.StatusOK, "GET", room+path, "")
		}
	}
	told["what the student is told of the class"] = student.must(t, http.StatusOK, "GET", room+"/me", "")
	told["what is refused"] = student.must(t, http.StatusForbidden, "GET", "/?teacher="+token[1:], "")
	s.mustStop(t, os.Interrupt)
	told["stdout but for the link"] = []byte(strings.Replace(s.stdout.text(), "?teacher="+token, "", 1))
	told["stderr"] = []byte(s.stderr.text())
	for name, text := range filesBelow(t, data) {
		if filepath.Base(name) == "room.json" { // which has to know the code
			text = bytes.ReplaceAll(text, []byte(fmt.Sprintf("%q", class.Code)), nil)
		}
		told[name] = text
	}

	for where, text := range told {
		if strings.HasSuffix(where, "/recording") || strings.HasSuffix(where, ".ndjson.zst") {
			text = unpacked(t, text)
		}
		for what, secret := range secrets {
			if regexp.MustCompile(`\b` + regexp.QuoteMeta(secret) + `\b`).Match(text) {
				t.Errorf("%s is in %s", what, where)
			}
		}
	}
}

// beAtWork has a class do what classes do, and somebody do what should not be done.
func (s site) beAtWork(t *testing.T, teacher, student person, room, code string) {
	t.Helper()
	student.must(t, http.StatusOK, "POST", "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code))
	teacher.must(t, http.StatusCreated, "POST", room+"/run", smallRun)
	teacher.must(t, http.StatusOK, "PATCH", room+"/class", `{"seat": "offer"}`)
	student.must(t, http.StatusOK, "PATCH", room+"/class", `{"seat": "take"}`)
	student.must(t, http.StatusNoContent, "PUT", room+"/presented", `{"mode": "live"}`)
	student.must(t, http.StatusNoContent, "POST", room+"/votes", vote(1))
	student.must(t, http.StatusNoContent, "POST", "/api/classes/goals", `{"goals": ["znodes/one-of-each"]}`)
	student.must(t, http.StatusOK, "DELETE", room+"/run", "")
	student.must(t, http.StatusCreated, "POST", room+"/run", smallRun)
	student.must(t, http.StatusForbidden, "DELETE", room+"/class", "")
	stranger := s.person(t, "a-strangers-own-secret")
	stranger.must(t, http.StatusForbidden, "GET", "/?teacher=wrong", "")
	stranger.must(t, http.StatusNotFound, "POST", "/api/classes/join", `{"code": "zzzzzz"}`)
	stranger.must(t, http.StatusNotFound, "GET", "/nowhere?teacher=wrong", "")
}

// unpacked is the text of a recording.
func unpacked(t *testing.T, recording []byte) []byte {
	t.Helper()
	opened, err := event.OpenRecording(bytes.NewReader(recording), check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var text bytes.Buffer
	if err := opened.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// filesBelow are all files of a directory, and what is in them.
func filesBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		files[name], err = os.ReadFile(name)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s, %v", len(files), dir, err)
	}
	return files
}
