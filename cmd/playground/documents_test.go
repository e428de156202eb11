package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// documents are the Markdown files of the repository, by their paths from its top.
func documents(t *testing.T) []string {
	t.Helper()
	foreign := []string{".git", "bin", "node_modules", "lib", "test-results", "testdata"}
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(foreign, entry.Name()) {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return nil
	})
	if err != nil || !slices.Contains(names, "README.md") {
		t.Fatalf("%d documents, and README.md is not among them: %v", len(names), err)
	}
	return names
}

// A document is what a Markdown file names.
type document struct {
	links   []string
	code    []string // what stands in code spans and in indented and fenced blocks
	anchors []string // of its headings, as GitHub makes them
}

// htmlLink finds what raw HTML leads to.
var htmlLink = regexp.MustCompile(`(?:src|srcset|href)="([^"]*)"`)

func readDocument(t *testing.T, name string) (d document) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			d.links = append(d.links, string(node.Destination))
		case *ast.Image:
			d.links = append(d.links, string(node.Destination))
		case *ast.HTMLBlock:
			for _, found := range htmlLink.FindAllSubmatch(node.Lines().Value(source), -1) {
				d.links = append(d.links, string(found[1]))
			}
		case *ast.Heading:
			d.addAnchor(words(node, source))
		case *ast.CodeSpan:
			d.code = append(d.code, words(node, source))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			d.code = append(d.code, string(node.Lines().Value(source)))
		}
		return ast.WalkContinue, nil
	})
	return d
}

// words are the text below a node.
func words(node ast.Node, source []byte) string {
	var all strings.Builder
	_ = ast.Walk(node, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if leaf, ok := node.(*ast.Text); ok && entering {
			all.Write(leaf.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return all.String()
}

// addAnchor adds the anchor of a heading: small letters, digits and dashes, and a number
// where there is one like it already.
func (d *document) addAnchor(heading string) {
	anchor := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	for i, plain := 1, anchor; slices.Contains(d.anchors, anchor); i++ {
		anchor = fmt.Sprintf("%s-%d", plain, i)
	}
	d.anchors = append(d.anchors, anchor)
}

// TestDocumentLinks: each link of each document leads to a file of the repository, and to a
// heading there.
func TestDocumentLinks(t *testing.T) {
	for _, name := range documents(t) {
		for _, link := range readDocument(t, name).links {
			if err := follow(t, name, link); err != nil {
				t.Errorf("%s: the link %q: %v", name, link, err)
			}
		}
	}
}

// ofLesson is the anchor of what the page shows beside a lesson; loading the lessons checks it.
var ofLesson = regexp.MustCompile(`^#(stage|scenario)-`)

// follow says why a link leads nowhere.
func follow(t *testing.T, from, link string) error {
	t.Helper()
	target, err := url.Parse(link)
	if err != nil || target.IsAbs() {
		return err
	}
	if strings.HasPrefix(from, "lessons/") && ofLesson.MatchString(link) {
		return nil
	}
	name := from
	if target.Path != "" {
		name = path.Join(path.Dir(from), target.Path)
	}
	if !fs.ValidPath(name) || path.IsAbs(target.Path) {
		return fmt.Errorf("it leads out of the repository")
	}
	if _, err := os.Stat(filepath.Join(root, name)); err != nil {
		return err
	}
	if target.Fragment != "" && !slices.Contains(readDocument(t, name).anchors, target.Fragment) {
		return fmt.Errorf("%s has no such heading", name)
	}
	return nil
}

// What documents name in code: a path of the repository, and a target of the Makefile.
var (
	namedPath   = regexp.MustCompile(`(?m)(?:^|[\s(])(?:\./)?((?:cmd|lessons|playground|static|zklock)/[\w./-]+)`)
	namedTarget = regexp.MustCompile(`(?m)(?:^|[^\w-])make ((?:[a-z][\w-]*\s?)+)`)
	// placeholder is a part of a path that stands for a name, or for a test, which TestSystems looks for.
	placeholder = regexp.MustCompile(`NN-slug|SLUG|CODE|\.Test`)
)

// TestDocumentsNameWhatThereIs: the files and the targets of the Makefile that the
// documents beside the code name are there.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range documents(t) {
		if path.Base(name) != "README.md" && path.Base(name) != "API.md" {
			continue
		}
		for _, code := range readDocument(t, name).code {
			for _, found := range namedPath.FindAllStringSubmatch(code, -1) {
				if _, err := os.Stat(filepath.Join(root, found[1])); err != nil && !placeholder.MatchString(found[1]) {
					t.Errorf("%s names %s: %v", name, found[1], err)
				}
			}
			for _, found := range namedTarget.FindAllStringSubmatch(code, -1) {
				for target := range strings.FieldsSeq(found[1]) {
					if !strings.Contains(string(makefile), "\n"+target+":") {
						t.Errorf("%s names make %s, and there is no such target", name, target)
					}
				}
			}
		}
	}
}

// TestPackagesAreListed: playground/README.md names each package.
func TestPackagesAreListed(t *testing.T) {
	listed := readDocument(t, "playground/README.md").code
	err := fs.WalkDir(os.DirFS(root), "playground", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || name == "playground/internal") {
			return fs.SkipDir
		}
		if folder := path.Dir(name); path.Ext(name) == ".go" && !slices.Contains(listed, folder) {
			t.Errorf("there is no %s", folder)
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMetricsAreListed: the documents name each metric of the program, and no other.
func TestMetricsAreListed(t *testing.T) {
	metric := regexp.MustCompile(`playground_[a-z_]+`)
	var there, listed []string
	err := fs.WalkDir(os.DirFS(root), "playground", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		there = append(there, metric.FindAllString(string(source), -1)...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range readDocument(t, "cmd/playground/README.md").code {
		listed = append(listed, metric.FindAllString(code, -1)...)
	}
	slices.Sort(there)
	slices.Sort(listed)
	if there, listed := slices.Compact(there), slices.Compact(listed); len(there) < 10 || !slices.Equal(there, listed) {
		t.Errorf("the program has  %q\nthe document has %q", there, listed)
	}
}

// TestReadmeIsShort: README.md is for a first reading; what is looked up stands beside its code.
func TestReadmeIsShort(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines > 250 {
		t.Errorf("README.md has %d lines, 250 are the most", lines)
	}
}
