package zkserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrDirInUse: another running server keeps its data in the directory.
var ErrDirInUse = errors.New("directory in use by another ZooKeeper, stop that or choose another directory")

// A directory holds one server's files: conf/, data/ and the lock that keeps a
// second server out.
type directory struct {
	path      string
	temporary bool
	lock      *os.File
}

func openDirectory(path string) (*directory, error) {
	temporary := path == ""
	path, err := makeDirectory(path)
	if err != nil {
		return nil, fmt.Errorf("make the server's directory: %w", err)
	}
	d := &directory{path: path, temporary: temporary}
	if err := d.fill(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func makeDirectory(path string) (string, error) {
	if path == "" {
		return os.MkdirTemp("", "zkplayground-zookeeper-")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o700)
}

func (d *directory) fill() error {
	if err := d.acquire(); err != nil {
		return err
	}
	for _, dir := range []string{d.conf(), d.data()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make the server's directory: %w", err)
		}
	}
	return nil
}

// acquire takes the lock. The JVM inherits it, so that the directory stays
// taken as long as either of us lives.
func (d *directory) acquire() error {
	file, err := os.OpenFile(filepath.Join(d.path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("lock the server's directory: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(fmt.Errorf("%w: %s", ErrDirInUse, d.path), file.Close())
	}
	d.lock = file
	return nil
}

func (d *directory) conf() string    { return filepath.Join(d.path, "conf") }
func (d *directory) data() string    { return filepath.Join(d.path, "data") }
func (d *directory) idFile() string  { return filepath.Join(d.data(), "myid") }
func (d *directory) cfgFile() string { return filepath.Join(d.conf(), "zoo.cfg") }

// close frees the directory, and removes it if it is temporary.
func (d *directory) close() error {
	var err error
	if d.lock != nil {
		err = d.lock.Close()
	}
	if d.temporary {
		err = errors.Join(err, os.RemoveAll(d.path))
	}
	return err
}
