package export_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/export"
	"github.com/zkplayground/zkplayground/static"
)

const fixtures = "../../../static/test/fixtures/"

// shippedLessons are those of the program, read once: they never change.
var shippedLessons = sync.OnceValues(lessons.Shipped)

// config is that of the shipped page, with a page's parts that are small.
func config(t *testing.T) export.Config {
	t.Helper()
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	library, err := shippedLessons()
	if err != nil {
		t.Fatal(err)
	}
	template, err := static.Files.ReadFile("saved.html")
	if err != nil {
		t.Fatal(err)
	}
	return export.Config{Lessons: library, Scenarios: scenarios, Catalogue: run.Catalogue(), Static: fstest.MapFS{
		"saved.html":         {Data: template},
		"lib/page/saved.js":  {Data: []byte(`console.log("a script")`)},
		"lib/page/saved.css": {Data: []byte(`body { margin: 0 }`)},
	}}
}

// write makes the page of a recording.
func write(t *testing.T, recording []byte) (string, error) {
	t.Helper()
	page, err := export.New(config(t))
	if err != nil {
		t.Fatal(err)
	}
	r, err := event.OpenRecording(bytes.NewReader(recording), check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	err = page.Write(&out, r)
	return out.String(), err
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(fixtures + name + ".ndjson.zst")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A document is a page as a browser reads it.
type document struct {
	testing.TB
	root *html.Node
}

func parse(t *testing.T, page string) document {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return document{t, root}
}

// text is what stands in the only element that fits.
func (d document) text(fits func(*html.Node) bool) string {
	d.Helper()
	var found []*html.Node
	for node := range d.root.Descendants() {
		if node.Type == html.ElementNode && fits(node) {
			found = append(found, node)
		}
	}
	if len(found) != 1 {
		d.Fatalf("there are %d such elements, want 1", len(found))
	}
	if found[0].FirstChild == nil {
		return ""
	}
	return found[0].FirstChild.Data
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func byID(id string) func(*html.Node) bool {
	return func(node *html.Node) bool { return attribute(node, "id") == id }
}

// The recording in a page, decompressed as a browser does it, is the recording.
func TestPageHoldsTheRecording(t *testing.T) {
	recording := fixture(t, "lost-wakeup")
	page, err := write(t, recording)
	if err != nil {
		t.Fatal(err)
	}
	compressed, err := base64.StdEncoding.DecodeString(parse(t, page).text(byID("recording")))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	decompressor, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decompressor.Close()
	want, err := decompressor.DecodeAll(recording, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the page holds %d bytes of a recording, want those %d", len(got), len(want))
	}
}

// The policy allows the script and the style that are there, and nothing else.
func TestPolicyNamesTheScriptAndTheStyle(t *testing.T) {
	page, err := write(t, fixture(t, "lost-wakeup"))
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, page)
	policy := ""
	for node := range doc.root.Descendants() {
		if attribute(node, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(node, "content")
		}
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	script := doc.text(func(n *html.Node) bool { return n.Data == "script" && attribute(n, "type") == "module" })
	style := doc.text(func(n *html.Node) bool { return n.Data == "style" })
	want := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; form-action 'none'; base-uri 'none'"
	if policy != want {
		t.Errorf("the policy is %q, want %q", policy, want)
	}
}

// A page leads nowhere but to other sites, and has nothing to fetch.
func TestPageStandsAlone(t *testing.T) {
	page, err := write(t, fixture(t, "herd-vs-predecessor"))
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, page)
	for node := range doc.root.Descendants() {
		if src := attribute(node, "src"); src != "" {
			t.Errorf("<%s> fetches %s", node.Data, src)
		}
		href := attribute(node, "href")
		if href != "" && !strings.HasPrefix(href, "#") && href != "data:," && (node.Data != "a" || !strings.HasPrefix(href, "https://")) {
			t.Errorf("<%s> leads to %s", node.Data, href)
		}
		if strings.Contains(attribute(node, "class"), "run-card") {
			t.Error("the lesson has a card that starts a run")
		}
	}
	if title := doc.text(func(n *html.Node) bool { return n.Data == "title" }); !strings.HasPrefix(title, "Herd against predecessor") {
		t.Errorf("the title is %q", title)
	}
	if lesson := doc.text(func(n *html.Node) bool { return n.Data == "h1" && n.Parent.Data == "article" }); lesson != "The herd effect" {
		t.Errorf("the lesson is %q", lesson)
	}
	var catalogue scenario.Catalogue
	if err := json.Unmarshal([]byte(doc.text(byID("catalogue"))), &catalogue); err != nil || len(catalogue.Recipes) == 0 {
		t.Errorf("the catalogue has %d recipes: %v", len(catalogue.Recipes), err)
	}
}

// record makes a recording that consists of lines.
func record(t *testing.T, lines ...string) []byte {
	t.Helper()
	compressor, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer compressor.Close()
	return compressor.EncodeAll([]byte(strings.Join(lines, "\n")+"\n"), nil)
}

const header = `{"format":"zkplayground-run","version":1,"run":{"id":"r","room":"main","scenario":"own","title":"</title><script>alert(1)</script>",` +
	`"state":"finished","seed":1,"clients":1,"delay":"0s","session":"6s","lanes":[],"zookeeper":{"version":"3.8.0","managed":true},"events":2,"at":9}}`

// A scenario of one's own has no lesson, and a title is text whatever it holds.
func TestPageOfAnotherScenario(t *testing.T) {
	page, err := write(t, record(t, header, `{"seq":1,"at":1,"kind":"note.started"}`, `{"seq":2,"at":9,"kind":"note.finished","why":"</script>"}`))
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, page)
	if title := doc.text(func(n *html.Node) bool { return n.Data == "title" }); !strings.HasPrefix(title, "</title><script>") {
		t.Errorf("the title is %q", title)
	}
	for node := range doc.root.Descendants() {
		if attribute(node, "id") == "lesson" || attribute(node, "id") == "lesson-toggle" {
			t.Error("there is a place for a lesson, and no lesson")
		}
		if node.Data == "script" && attribute(node, "type") == "" {
			t.Error("a script has got in")
		}
	}
}

func TestBadRecordings(t *testing.T) {
	first, second := `{"seq":1,"at":5,"kind":"note.started"}`, `{"seq":2,"at":9,"kind":"note.finished"}`
	tests := map[string][]string{
		"an event too few":  {header, first},
		"a gap":             {header, first, `{"seq":3,"at":9,"kind":"note.finished"}`},
		"time running back": {header, first, `{"seq":2,"at":4,"kind":"note.finished"}`},
		"half an event":     {header, first, second[:20]},
	}
	for name, lines := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := write(t, record(t, lines...)); !errors.Is(err, event.ErrNotRecording) {
				t.Errorf("got %v", err)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriteReturnsTheWritersError(t *testing.T) {
	page, err := export.New(config(t))
	if err != nil {
		t.Fatal(err)
	}
	recording, err := event.OpenRecording(bytes.NewReader(fixture(t, "lost-wakeup")), check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	full := errors.New("disk full")
	if err := page.Write(failing{full}, recording); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestNewRefusesWhatCannotStandInAPage(t *testing.T) {
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"not bundled":           {func(files fstest.MapFS) { delete(files, "lib/page/saved.js") }, export.ErrNotBundled.Error()},
		"no template":           {func(files fstest.MapFS) { delete(files, "saved.html") }, "read the template"},
		"the end of a script":   {func(files fstest.MapFS) { files["lib/page/saved.js"].Data = []byte(`"</SCRIPT>"`) }, "would end it"},
		"a comment in a script": {func(files fstest.MapFS) { files["lib/page/saved.js"].Data = []byte(`"<!--"`) }, "would end it"},
		"the end of a style":    {func(files fstest.MapFS) { files["lib/page/saved.css"].Data = []byte(`/* </style> */`) }, "would end it"},
	} {
		t.Run(name, func(t *testing.T) {
			c := config(t)
			test.change(c.Static.(fstest.MapFS))
			if _, err := export.New(c); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestPageInAnotherLanguage(t *testing.T) {
	c := config(t)
	c.Language = "xx"
	if _, err := export.New(c); !errors.Is(err, static.ErrNoLanguage) {
		t.Errorf("without its sentences: got %v, want %v", err, static.ErrNoLanguage)
	}
	table := c.Static.(fstest.MapFS)
	table["js/text/languages/xx.json"] = &fstest.MapFile{Data: []byte(`{"Close": "</script>"}`)}
	page, err := export.New(c)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := event.OpenRecording(bytes.NewReader(fixture(t, "herd-vs-predecessor")), check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	var out bytes.Buffer
	if err := page.Write(&out, recording); err != nil {
		t.Fatal(err)
	}
	written := parse(t, out.String())
	var sentences map[string]string
	if err := json.Unmarshal([]byte(written.text(byID("sentences"))), &sentences); err != nil || sentences["Close"] != "</script>" {
		t.Errorf("got sentences %v, %v", sentences, err)
	}
	for want, count := range map[string]int{`<html lang="xx">`: 1, `<div lang="en">`: 1} {
		if got := strings.Count(out.String(), want); got != count {
			t.Errorf("%s is there %d times, want %d", want, got, count)
		}
	}
}
