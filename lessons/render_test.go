package lessons_test

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
)

var update = flag.Bool("update", false, "write testdata/blocks.html anew")

func TestRenderedBlocks(t *testing.T) {
	const golden = "testdata/blocks.html"
	source, err := os.ReadFile("testdata/blocks.md")
	if err != nil {
		t.Fatal(err)
	}
	library := load(t, "en/01-blocks.md", string(source), "en/02-other.md", "# Other\n\n"+card)
	lesson, _ := library.Get("en", "blocks")
	if *update {
		if err := os.WriteFile(golden, lesson.HTML, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(lesson.HTML)); diff != "" {
		t.Error(diff)
	}
}

// hostile is what somebody might try to bring into a page.
const hostile = `"'></p><script>alert(1)</script><img src=x onerror=alert(1)>`

func TestNothingHostileIsRendered(t *testing.T) {
	quoted := strings.NewReplacer(`"`, `\"`, "<", `\u003c`).Replace(hostile)
	for name, source := range map[string]string{
		"link":            "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) [d](data:text/html,x)",
		"link reference":  "[a]\n\n[a]: javascript:alert(1)",
		"entity in link":  "[a](javascript&#58;alert(1)) [b](&#x6A;avascript:alert(1))",
		"image":           "![a](javascript:alert(1))",
		"autolink":        "<javascript:alert(1)>",
		"link title":      "[a](/b '" + strings.ReplaceAll(hostile, "'", "") + "')",
		"indented code":   "    " + hostile,
		"code":            "```go\n" + hostile + "\n```",
		"code span":       "`" + hostile + "`",
		"heading":         "## `" + hostile + "`",
		"image alt":       "![`" + hostile + "`](/a.png)",
		"table":           "| a |\n|:-:|\n| `" + hostile + "` |",
		"card scenario":   "```scenario\n" + strings.Replace(cardBody, "herd", quoted, 1) + "\n```",
		"card title":      "```scenario\n" + strings.Replace(cardBody, "Title", quoted, 1) + "\n```",
		"card text":       "```scenario\n" + strings.Replace(cardBody, "Text", quoted, 1) + "\n```",
		"question":        "```predict\n" + strings.Replace(questionBody, "Question", quoted, 1) + "\n```",
		"choice":          "```predict\n" + strings.Replace(questionBody, "Choice", quoted, 1) + "\n```",
		"choice's reason": "```predict\n" + strings.Replace(questionBody, "Reason", quoted, 1) + "\n```",
	} {
		t.Run(name, func(t *testing.T) {
			library := load(t, "en/01-a.md", "# "+"`"+hostile+"`"+"\n\n"+card+"\n"+source+"\n")
			lesson, _ := library.Get("en", "a")
			checkSafe(t, lesson.HTML)
			var document bytes.Buffer
			if err := library.WriteDocument(&document, lesson, "en"); err != nil {
				t.Fatal(err)
			}
			checkSafe(t, document.Bytes())
		})
	}
}

const (
	cardBody     = `{"scenario": "herd", "title": "Title", "text": "Text", "clients": 8, "delay": "250ms", "seed": 1}`
	questionBody = `{"question": "Question", "choices": [{"text": "Choice", "right": true, "because": "Reason"}, {"text": "c", "because": "d"}]}`
)

// checkSafe parses a page as a browser does and looks for anything that runs,
// and for inline styles, which our content security policy would refuse.
func checkSafe(tb testing.TB, page []byte) {
	tb.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		tb.Fatal(err)
	}
	for node := range doc.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "style", "iframe", "object", "embed", "base", "form", "svg", "math"}, node.Data) {
			tb.Errorf("element %s in %s", node.Data, page)
		}
		for _, attribute := range node.Attr {
			checkSafeAttribute(tb, node.Data, attribute)
		}
	}
}

func checkSafeAttribute(tb testing.TB, element string, attribute html.Attribute) {
	tb.Helper()
	if strings.HasPrefix(attribute.Key, "on") || attribute.Key == "style" {
		tb.Errorf("attribute %s on %s", attribute.Key, element)
	}
	if attribute.Key != "href" && attribute.Key != "src" {
		return
	}
	address := strings.ToLower(strings.TrimSpace(attribute.Val))
	for _, scheme := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(address, scheme) {
			tb.Errorf("%s=%q on %s", attribute.Key, attribute.Val, element)
		}
	}
}

// FuzzLoad checks that whatever the text of a lesson is, loading it fails with
// a place in that file, or gives a safe page.
func FuzzLoad(f *testing.F) {
	f.Add("text `code` *x*\n\n- a\n- b\n")
	f.Add("[a](02-b.md) [b](javascript:x) <http://c>\n\n| a |\n|---|\n| b |\n")
	f.Add("```predict\n" + questionBody + "\n```\n> ```go\n> x\n")
	f.Add("## a\n\n# b\n\n<b>\n")
	f.Fuzz(func(t *testing.T, text string) {
		library, err := lessons.Load(files("en/01-a.md", "# T\n\n"+card+"\n"+text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "en/01-a.md:") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		lesson, _ := library.Get("en", "a")
		checkSafe(t, lesson.HTML)
	})
}
