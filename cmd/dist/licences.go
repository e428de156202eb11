package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pageLicences are those of the libraries in the page, which static/bundle.js collects.
const pageLicences = "static/lib/LICENSES.txt"

// licenceFile is how files with a licence, or with what it asks to be told, are called.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// A module is a module of which packages are in the programs.
type module struct {
	name string // with its version
	dir  string
	// packages are the directories of those packages.
	packages []string
}

// licences returns the licences of all that the programs contain for a target: of Go,
// of their modules, and of the libraries in the page.
func (t target) licences(ctx context.Context) ([]byte, error) {
	modules, err := t.modules(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("The programs contain what follows, each under the licence below its name.\n")
	for _, m := range modules {
		files, err := m.files()
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no licence in %s", m.name, m.dir)
		}
		for _, file := range files {
			if err := addLicence(&b, m.title(file), file); err != nil {
				return nil, err
			}
		}
	}
	err = addLicence(&b, "Libraries in the page", pageLicences)
	return b.Bytes(), err
}

// addLicence appends a file under a title.
func addLicence(b *bytes.Buffer, title, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	line := strings.Repeat("=", len(title))
	fmt.Fprintf(b, "\n%s\n%s\n%s\n\n%s\n", line, title, line, bytes.TrimSpace(text))
	return nil
}

// modules lists what is linked into the programs, but for our own module; the standard
// library comes first.
func (t target) modules(ctx context.Context) ([]module, error) {
	const format = `{{if .Standard}}std{{else}}{{.Module.Path}} {{.Module.Version}}{{end}}	{{with .Module}}{{.Main}}{{end}}	{{with .Module}}{{.Dir}}{{end}}	{{.Dir}}`
	list, err := output(ctx, t.environment(), "go", append([]string{"list", "-deps", "-f", format}, programs...)...)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := []module{{name: "Go", dir: root}}
	for line := range strings.SplitSeq(list, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("go list says %q", line)
		}
		name, main, dir, pkg := fields[0], fields[1] == "true", fields[2], fields[3]
		if name == "std" || main {
			continue
		}
		i := slices.IndexFunc(modules, func(m module) bool { return m.name == name })
		if i < 0 {
			i, modules = len(modules), append(modules, module{name: name, dir: dir})
		}
		modules[i].packages = append(modules[i].packages, pkg)
	}
	slices.SortFunc(modules[1:], func(a, b module) int { return cmp.Compare(a.name, b.name) })
	return modules, nil
}

// files are the licences of a module: at its root, and in the directories of its
// packages and above them, where it holds what others have written.
func (m module) files() ([]string, error) {
	dirs := []string{m.dir}
	for _, dir := range m.packages {
		for ; dir != m.dir && strings.HasPrefix(dir, m.dir); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	var files []string
	for _, dir := range slices.Compact(dirs) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && licenceFile.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

// title names a module and, if that is not at its root, the place of a licence.
func (m module) title(file string) string {
	place, err := filepath.Rel(m.dir, file)
	if err != nil || filepath.Dir(place) == "." {
		return m.name
	}
	return m.name + ", " + filepath.ToSlash(filepath.Dir(place))
}
