package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLicences: whatever is linked has its licence told, also of what a module has from
// others.
func TestLicences(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	if _, err := os.Stat(pageLicences); err != nil {
		t.Fatalf("%v: run make lib", err)
	}
	for _, system := range []target{{"linux", "amd64"}, {"windows", "arm64"}} {
		text, err := system.licences(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\nGo\n", "The Go Authors", "\ngithub.com/labstack/echo/v4 v4.", "\ngithub.com/go-zookeeper/zk v1.",
			"\ngithub.com/klauspost/compress v1.", ", internal/snapref\n", "\nLibraries in the page\n", "\nlit-html\n", "\nuplot\n", "\nfzstd\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%v: no %q in %d bytes of licences", system, want, len(text))
			}
		}
		if strings.Contains(string(text), "github.com/anishathalye/porcupine") {
			t.Errorf("%v: a library of the tests is among what is linked", system)
		}
	}
}

func TestModuleWithoutALicence(t *testing.T) {
	dir := t.TempDir()
	if files, err := (module{name: "nobody's v1", dir: dir, packages: []string{dir}}).files(); err != nil || len(files) != 0 {
		t.Errorf("%q, %v", files, err)
	}
}

// TestReference: an archive has what its README.md leads to for looking up.
func TestReference(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([\w/]+\.md)`).FindAllStringSubmatch(string(readme), -1)
	if len(links) < 10 {
		t.Errorf("README.md has %d links", len(links))
	}
	for _, link := range links {
		if !slices.Contains(reference, link[1]) {
			t.Errorf("an archive lacks %s", link[1])
		}
	}
	for _, name := range reference {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestArchives: the archives hold what was put in, and the same input makes the same
// archive; tar and sha256sum, which others have, understand them.
func TestArchives(t *testing.T) {
	made := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var archives []string
	dir := t.TempDir()
	for _, asZip := range []bool{false, true} {
		var before []byte
		for range 2 {
			entries := []entry{{name: "playground", mode: 0o755, content: []byte("#!/bin/sh\necho it runs\n")}, {name: "LICENSE", content: []byte("free")}}
			archive, err := pack(filepath.Join(dir, "playground-1-here"), asZip, entries, made)
			if err != nil {
				t.Fatal(err)
			}
			now, err := os.ReadFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			if before != nil && string(now) != string(before) {
				t.Errorf("%s differs when it is made again", archive)
			}
			if before = now; !asZip && len(archives) == 0 || asZip && len(archives) == 1 {
				archives = append(archives, archive)
			}
		}
	}
	if err := writeSums(filepath.Join(dir, "SHA256SUMS"), archives); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"sha256sum -c SHA256SUMS", "tar xzf playground-1-here.tar.gz", "playground-1-here/playground"} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, text)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "playground-1-here", "LICENSE")); string(text) != "free" {
		t.Errorf("LICENSE is %q: %v", text, err)
	}
}
