package zkserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrDirInUse: another running server keeps its data in the directory.
var ErrDirInUse = errors.New("directory in use by another ZooKeeper, stop that or choose another directory")

// A directory holds one server's files, conf/ and data/, and its owners: the
// program that holds a lock on the file owner; and a JVM, which inherits one on the
// file lock and may outlive the program that started it. The file jvm names that JVM.
type directory struct {
	path      string
	temporary bool
	owner     *os.File // held by this program alone
	lock      *os.File // held by this program and its JVM
}

// temporaryPrefix begins the names of temporary directories.
const temporaryPrefix = "zkplayground-zookeeper-"

func openDirectory(path string) (*directory, error) {
	if path == "" {
		return openTemporary()
	}
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(path, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("make the server's directory: %w", err)
	}
	return fill(&directory{path: path})
}

// openTemporary makes a directory of its own, and removes those whose program has been
// killed.
func openTemporary() (*directory, error) {
	removeAbandoned(os.TempDir())
	for {
		path, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			return nil, fmt.Errorf("make the server's directory: %w", err)
		}
		d, err := fill(&directory{path: path, temporary: true})
		if !errors.Is(err, ErrDirInUse) {
			return d, err
		} // another program took it for abandoned before it had an owner
	}
}

// fill takes the directory and makes what belongs in it.
func fill(d *directory) (*directory, error) {
	err := d.acquire()
	for _, dir := range []string{d.conf(), d.data()} {
		if err == nil {
			err = os.MkdirAll(dir, 0o700)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take the server's directory: %w", err), d.close())
	}
	return d, nil
}

// acquire takes both locks, the program's first: a program that has that one and finds the other
// taken knows that only a JVM has it, whose program is gone.
func (d *directory) acquire() (err error) {
	if d.owner, err = d.lockFile("owner"); err != nil {
		return err
	}
	if d.lock, err = d.lockFile("lock"); errors.Is(err, ErrDirInUse) {
		d.lock, err = d.endOrphan()
	}
	return err
}

// lockFile makes a file and locks it. ErrDirInUse means that another program has the
// lock, or has removed the directory meanwhile.
func (d *directory) lockFile(name string) (*os.File, error) {
	inUse := fmt.Errorf("%w: %s", ErrDirInUse, d.path)
	path := filepath.Join(d.path, name)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, inUse
	}
	if err != nil {
		return nil, err
	}
	if err := flock(file); err != nil {
		return nil, errors.Join(inUse, file.Close())
	}
	if !isAt(file, path) {
		return nil, errors.Join(inUse, file.Close())
	}
	return file, nil
}

// isAt says whether a file is still what path names.
func isAt(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

func (d *directory) conf() string    { return filepath.Join(d.path, "conf") }
func (d *directory) data() string    { return filepath.Join(d.path, "data") }
func (d *directory) idFile() string  { return filepath.Join(d.data(), "myid") }
func (d *directory) cfgFile() string { return filepath.Join(d.conf(), "zoo.cfg") }
func (d *directory) jvmFile() string { return filepath.Join(d.path, "jvm") }

// close removes the directory if it is temporary, and frees it.
func (d *directory) close() error {
	var err error
	if d.temporary && d.owner != nil { // else another program removes it
		err = d.remove()
	}
	for _, file := range []*os.File{d.lock, d.owner} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
}
