package zkserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/child"
)

// goneSuffix ends the names of temporary directories that are being removed. Nobody
// opens a file in those.
const goneSuffix = "-gone"

// removeAbandoned removes the temporary directories whose program was killed, with the
// JVM that it may have left. What cannot be removed stays for the next program.
func removeAbandoned(in string) {
	paths, err := filepath.Glob(filepath.Join(in, temporaryPrefix+"*"))
	if err != nil {
		return // the name of the directory is no pattern
	}
	for _, path := range paths {
		if !isOurs(path) {
			continue
		}
		if strings.HasSuffix(path, goneSuffix) {
			_ = os.RemoveAll(path)
			continue
		}
		d := &directory{path: path}
		d.temporary = d.acquire() == nil // else it is in use
		_ = d.close()
	}
}

// remove removes a directory that this program has. A program that looks for abandoned
// ones, or has just made this one, may be about to open a file in it: so it first loses
// its name, so that no program has a lock on a file that is removed.
func (d *directory) remove() error {
	gone := d.path + goneSuffix
	if err := os.Rename(d.path, gone); err != nil {
		return err
	}
	err := os.RemoveAll(gone)
	for tries := 1; errors.Is(err, syscall.ENOTEMPTY) && tries < removals; tries++ {
		err = os.RemoveAll(gone)
	}
	return err
}

// removals is how often a directory is removed, at most: a program that found it by its
// former name may just have made a file in it.
const removals = 10

// isOurs says whether path is a directory of this user, so that no other user has put
// into it what we are about to open.
func isOurs(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	return ownedByUser(info)
}

// orphanTimeout bounds the end of a JVM that was killed.
const orphanTimeout = 2 * time.Second

// endOrphan kills a JVM whose program is gone, and takes the lock that it had. On Linux
// it dies with its program, unless Java was started by a script that stayed.
func (d *directory) endOrphan() (*os.File, error) {
	group, err := d.jvm()
	if err != nil {
		return nil, err
	}
	if err := child.Kill(-group, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return nil, fmt.Errorf("%w: %s; its Java cannot be killed: %w", ErrDirInUse, d.path, err)
	}
	for deadline := time.Now().Add(orphanTimeout); ; time.Sleep(readyPoll) {
		lock, err := d.lockFile("lock")
		if err == nil || !errors.Is(err, ErrDirInUse) || time.Now().After(deadline) {
			return lock, err
		}
	}
}

// jvm is the process group of the JVM that was started last.
func (d *directory) jvm() (group int, err error) {
	text, err := os.ReadFile(d.jvmFile())
	if err != nil {
		return 0, fmt.Errorf("%w: %s: %w", ErrDirInUse, d.path, err)
	}
	group, err = strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || group <= 1 {
		return 0, fmt.Errorf("%w: %s: its Java is not known", ErrDirInUse, d.path)
	}
	return group, nil
}

// forgetJVM records that none runs, before the next starts.
func (d *directory) forgetJVM() error {
	if err := os.Remove(d.jvmFile()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// recordJVM records the one that runs now, which has a process group of its own.
func (d *directory) recordJVM(pid int) error {
	return os.WriteFile(d.jvmFile(), []byte(strconv.Itoa(pid)+"\n"), 0o600)
}
