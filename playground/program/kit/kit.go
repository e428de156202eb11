// Package kit has programs to begin with, for playground/program: a lock in each of some
// languages, of at most 60 lines, that runs as it is.
package kit

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed python go java node
var files embed.FS

var (
	// ErrLanguage is returned for a language that there is no kit for.
	ErrLanguage = errors.New("no kit for that language")
	// ErrExists is returned for a file that is there already, which stays.
	ErrExists = errors.New("there is one already")
)

// A Kit is a program in one language.
type Kit struct {
	// Language is what people type.
	Language string
	// Library is the one whose lock it begins with.
	Library string
	// Prepare is what to type in its directory once, and Command what judge runs there, as
	// one types them at a shell.
	Prepare, Command string
}

var kits = []Kit{
	{"python", "kazoo", "pip install -r requirements.txt", "python3 mylock.py"},
	{"go", "go-zookeeper", "go build", "./mylock"},
	{"java", "Curator", "mvn -q package", "java -cp 'target/classes:target/dependency/*' MyLock"},
	{"node", "node-zookeeper-client", "npm install", "node mylock.js"},
}

// Kits returns all.
func Kits() []Kit { return append([]Kit(nil), kits...) }

// Write writes the kit of a language into a directory, which is made if it is missing. It
// overwrites nothing: its errors wrap ErrLanguage, ErrExists, or say why a file cannot be
// written.
func Write(language, dir string) (Kit, error) {
	var languages []string
	for _, k := range kits {
		if k.Language == language {
			return k, k.write(dir)
		}
		languages = append(languages, k.Language)
	}
	return Kit{}, fmt.Errorf("%w: %q, there are %s", ErrLanguage, language, strings.Join(languages, ", "))
}

func (k Kit) write(dir string) error {
	own, err := fs.Sub(files, k.Language)
	if err != nil {
		return err
	}
	return fs.WalkDir(own, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(own, name)
		if err != nil {
			return err
		}
		return writeNew(filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(name, hidden))), text)
	})
}

// hidden ends the names of go.mod and go.sum here: Go would take them for those of a module.
const hidden = ".hidden"

// writeNew writes a file that is not there yet.
func writeNew(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
