package disk

import (
	"os"
	"testing"
	"time"
)

// TestNamelessFilesNeverHaveAName: a program that was killed just when one had its name
// would leave it. A name that comes and goes changes the directory.
func TestNamelessFilesNeverHaveAName(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "nameless-*") // whatever disk the tests are on
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	long := time.Unix(1e9, 0)
	if err := os.Chtimes(dir, long, long); err != nil {
		t.Fatal(err)
	}
	file, err := Temporary(dir, "reserve-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("text"); err != nil {
		t.Error(err)
	}
	text := make([]byte, 4)
	if _, err := file.ReadAt(text, 0); err != nil || string(text) != "text" {
		t.Errorf("it has %q, %v", text, err)
	}
	if err := Remove(file); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(dir); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("the directory was changed at %v, %v", info.ModTime(), err)
	}
	if _, err := Temporary(dir+"-missing", "reserve-*"); !os.IsNotExist(err) {
		t.Errorf("in a directory that is missing: %v", err)
	}
}
