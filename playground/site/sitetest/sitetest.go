// Package sitetest looks at a site that has been written, as its visitors' browsers and
// readers of its recordings do.
package sitetest

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/internal/fragment"
	"github.com/zkplayground/zkplayground/playground/site"
)

// Links follows every link of every page: each leads to a file of the site, and where it
// names a part of a page, that is there. Only an <a> may lead elsewhere, by https. It
// returns the pages, by their paths.
func Links(tb testing.TB, dir string) map[string]*html.Node {
	tb.Helper()
	pages := readPages(tb, dir)
	if pages["index.html"] == nil {
		tb.Fatal("the site has no index.html")
	}
	for name, page := range pages {
		policy := ""
		for _, element := range fragment.Elements(page) {
			if fragment.Attribute(element, "http-equiv") == "Content-Security-Policy" {
				policy = fragment.Attribute(element, "content")
			}
			for _, at := range []string{"href", "src"} {
				if target := fragment.Attribute(element, at); target != "" {
					follow(tb, dir, pages, name, element.Data, target)
				}
			}
			if recording := fragment.Attribute(element, "data-recording"); recording != "" {
				mustBeFile(tb, dir, name, site.RecordingPath(recording))
			}
			for _, a := range element.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					tb.Errorf("%s: <%s> has %s inline", name, element.Data, a.Key)
				}
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			tb.Errorf("%s: its policy is %q", name, policy)
		}
	}
	return pages
}

func readPages(tb testing.TB, dir string) map[string]*html.Node {
	tb.Helper()
	pages := make(map[string]*html.Node)
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		text, err := os.Open(file)
		if err != nil {
			return err
		}
		defer text.Close()
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		pages[filepath.ToSlash(name)], err = html.Parse(text)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return pages
}

// follow looks where a link of a page leads.
func follow(tb testing.TB, dir string, pages map[string]*html.Node, from, element, target string) {
	tb.Helper()
	address, err := url.Parse(target)
	switch {
	case err != nil:
		tb.Errorf("%s: <%s> leads to %q: %v", from, element, target, err)
		return
	case address.IsAbs():
		if element != "a" || address.Scheme != "https" {
			tb.Errorf("%s: <%s> leads to %s", from, element, target)
		}
		return
	case address.Host != "" || strings.HasPrefix(address.Path, "/"):
		tb.Errorf("%s: <%s> leads to %s, which depends on where the site lies", from, element, target)
		return
	}
	to := from
	if address.Path != "" {
		to = path.Join(path.Dir(from), address.Path)
		mustBeFile(tb, dir, from, to)
	}
	if address.Fragment == "" || pages[to] == nil {
		return
	}
	isPart := func(n *html.Node) bool { return fragment.Attribute(n, "id") == address.Fragment }
	if !slices.ContainsFunc(fragment.Elements(pages[to]), isPart) {
		tb.Errorf("%s: %s has no part %q", from, to, address.Fragment)
	}
}

func mustBeFile(tb testing.TB, dir, from, name string) {
	tb.Helper()
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !info.Mode().IsRegular() {
		tb.Errorf("%s: there is no file %s: %v", from, name, err)
	}
}

// Recordings reads every recording that the lessons ask for: it is whole, its run went as
// its scenario is made to, what the lessons state of it in figures is so, and the goal of
// a solution is met in it.
func Recordings(tb testing.TB, dir string, library *lessons.Library) {
	tb.Helper()
	for _, lesson := range library.All() {
		for _, card := range lesson.Scenarios {
			r := read(tb, dir, site.CardName(card), nil)
			if r.run.Scenario != card.Scenario || r.run.Clients != card.Clients || r.run.Delay != card.Delay.String() || r.run.Seed != card.Seed {
				tb.Errorf("%s: it is of %s, %d clients, delay %s, seed %d", r.name, r.run.Scenario, r.run.Clients, r.run.Delay, r.run.Seed)
			}
			for _, err := range site.Contradictions(r.summary, card.States) {
				tb.Errorf("lesson %s, %s: %v", lesson.Slug, r.name, err)
			}
		}
		for _, check := range lesson.Checks {
			if r := read(tb, dir, site.SolutionName(check), &check); r.verdict.State != goal.Met {
				tb.Errorf("%s: the goal is not met: %+v", r.name, r.verdict)
			}
		}
	}
}

// A recorded run, and what it came to.
type recorded struct {
	name    string
	run     event.Run
	summary check.Summary
	verdict goal.Verdict
}

func read(tb testing.TB, dir, name string, solved *lessons.Check) recorded {
	tb.Helper()
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(site.RecordingPath(name))))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	defer recording.Close()
	checker := check.New(recording.Run)
	var judge *goal.Judge
	if solved != nil {
		judge = goal.NewJudge(solved.Condition, recording.Run.Lanes)
	}
	for e, err := range recording.Events() {
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		checker.Apply(e)
		if judge != nil {
			judge.Take(e)
		}
	}
	r := recorded{name: name, run: recording.Run, summary: checker.Summary()}
	if judge != nil {
		r.verdict = judge.Verdict()
	}
	return r
}
