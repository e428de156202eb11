package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, said string
		want       outcome
	}{
		{"passed", `{"Action":"pass","Package":"p","Test":"TestA/part"}
			{"Action":"pass","Package":"p","Test":"TestA"}
			{"Action":"skip","Package":"p","Test":"TestB"}
			{"Action":"pass","Package":"p"}`, outcome{passed: 1}},
		{"failed", `{"Action":"fail","Package":"p","Test":"TestA/part"}
			{"Action":"fail","Package":"p","Test":"TestA"}
			{"Action":"fail","Package":"p"}`, outcome{failed: []string{"TestA"}}},
		{"a package that leaves goroutines", `{"Action":"pass","Package":"p","Test":"TestA"}
			{"Action":"fail","Package":"p"}`, outcome{passed: 1, failed: []string{"p"}}},
	} {
		got, err := read(strings.NewReader(test.said), new(bytes.Buffer))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	var output bytes.Buffer
	if _, err := read(strings.NewReader(`{"Action":"output","Output":"said\n"} broken`), &output); err == nil || output.String() != "said\n" {
		t.Errorf("output %q, error %v", output.String(), err)
	}
}

func TestVersionIn(t *testing.T) {
	home := t.TempDir()
	if version, err := versionIn(home); err == nil {
		t.Errorf("an empty directory has version %s", version)
	}
	if err := os.Mkdir(filepath.Join(home, "lib"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, jar := range []string{"zookeeper-3.6.4.jar", "zookeeper-jute-3.6.4.jar"} {
		if err := os.WriteFile(filepath.Join(home, "lib", jar), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if version, err := versionIn(home); version != "3.6.4" {
		t.Errorf("version %q, error %v", version, err)
	}
}

// TestPackages: what the suites name is there.
func TestPackages(t *testing.T) {
	for _, s := range suites {
		if _, err := os.Stat(filepath.Join("..", "..", "..", s.args[0])); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}
