package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A javaHome is a Java whose program notes its process id.
type javaHome string

func newJavaHome(t *testing.T) javaHome {
	t.Helper()
	install, err := zkserver.Find("")
	if err != nil {
		t.Fatal(err)
	}
	return javaHomeOf(t, install.Java+` "$@"`)
}

// javaHomeOf is a Java that runs a command in its place.
func javaHomeOf(t *testing.T, command string) javaHome {
	t.Helper()
	home := javaHome(t.TempDir())
	script := fmt.Sprintf("#!/bin/sh\necho $$ >%[1]s.new && mv %[1]s.new %[1]s\nexec %[2]s\n", home.pidFile(), command)
	java := filepath.Join(string(home), "bin", "java")
	if err := os.MkdirAll(filepath.Dir(java), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(java, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return home
}

func (h javaHome) pidFile() string { return filepath.Join(string(h), "pid") }

// setting makes a program use it.
func (h javaHome) setting() []string { return []string{"JAVA_HOME=" + string(h)} }

// pid waits for the Java that was started last.
func (h javaHome) pid(t *testing.T) int {
	t.Helper()
	var text []byte
	eventually(t, "Java was started", func() (found bool) {
		var err error
		text, err = os.ReadFile(h.pidFile())
		return err == nil
	})
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
