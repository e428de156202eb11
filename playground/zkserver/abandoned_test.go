package zkserver

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// temporaryDir is where temporary directories go for the rest of the test.
func temporaryDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return dir
}

func mustMake(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAbandonedDirectoriesAreRemoved(t *testing.T) {
	in, elsewhere := temporaryDir(t), t.TempDir()
	used, err := openDirectory("")
	if err != nil {
		t.Fatal(err)
	}
	name := func(end string) string { return filepath.Join(in, temporaryPrefix+end) }
	mustMake(t, name("1")+"/lock", name("1")+"/owner", name("1")+"/data/version-2/log.1", // of a killed program
		name("2")+"/conf/zoo.cfg",                                                    // of one that was killed before it had the locks
		name("3-gone")+"/data/myid",                                                  // of one that was killed while it removed another's
		name("4"),                                                                    // a file
		filepath.Join(in, "other", "lock"), filepath.Join(elsewhere, "data", "myid")) // somebody else's
	if err := os.Symlink(elsewhere, name("5")); err != nil {
		t.Fatal(err)
	}
	next, err := openDirectory("")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{used.path: true, next.path: true, name("1"): false, name("2"): false,
		name("3-gone"): false, name("4"): true, name("5") + "/data/myid": true, filepath.Join(in, "other", "lock"): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", path, err, want)
		}
	}
	if err := errors.Join(used.close(), next.close()); err != nil {
		t.Error(err)
	}
}

// Who makes a directory while others look for abandoned ones has it, or another.
func TestDirectoryIsNotTakenForAbandoned(t *testing.T) {
	in := temporaryDir(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				d, err := openDirectory("") // which looks for abandoned ones, too
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(os.WriteFile(d.idFile(), []byte("1"), 0o600), d.close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(in); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
