package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A link leads to the file of another lesson of the same locale.
type link struct {
	file string
	line int
}

// readLink turns a link to a lesson's file, which works where the sources are
// read, into one to the lesson's document, which works under any base path.
// The slug is left in data-lesson for a page that shows lessons in place.
func (r *reading) readLink(node *ast.Link) {
	file := string(node.Destination)
	if !strings.HasSuffix(file, ".md") || strings.Contains(file, "/") {
		return
	}
	r.lesson.links = append(r.lesson.links, link{file: file, line: markdown.Line(node, r.source)})
	target, err := lessonFromName(r.lesson.Locale + "/" + file)
	if err != nil {
		return // the library finds that no lesson has this file
	}
	node.Destination = []byte(documentPath(target))
	node.SetAttributeString("data-lesson", []byte(target.Slug))
}

// documentPath is the address of a lesson's document, seen from another one.
func documentPath(lesson Lesson) string {
	return "../../lessons/" + lesson.Locale + "/" + lesson.Slug
}

// stagePrefix begins a link to what the page shows beside the lesson.
const stagePrefix = "#stage-"

// stageNames are what a lesson can point at: parts of the picture, panels, and, after
// "at-", instants of the run. The page knows them by the same names.
var stageNames = []string{
	"lane", "queue", "directory", "znode", "client", "holder", "watch", "cost", "average", "account", "checks",
	"caption", "list", "timeline", "live", "faults", "delay", "stop",
	"inspector", "belief", "words", "sequence", "console", "tree",
	"at-first-hold", "at-release", "at-fault", "at-cut-off", "at-expired", "at-two-believe", "at-lost-update", "at-refused",
	"at-stuck",
}

// stageClient is a client by its number, in every lane.
var stageClient = regexp.MustCompile(`^client-[1-9]\d?$`)

// readStageLink makes a link to a part of the page one that the page shows with the
// lesson can follow: it has the name in data-stage. Where the lesson is a document of
// its own, the link opens the page.
func (r *reading) readStageLink(node *ast.Link) error {
	name, ok := strings.CutPrefix(string(node.Destination), stagePrefix)
	if !ok {
		return nil
	}
	if !slices.Contains(stageNames, name) && !stageClient.MatchString(name) {
		return fmt.Errorf("%w: the page shows no %q", ErrLink, name)
	}
	node.Destination = []byte("../../#lesson=" + r.lesson.Slug)
	node.SetAttributeString("class", []byte("on-stage"))
	node.SetAttributeString("data-stage", []byte(name))
	return nil
}
