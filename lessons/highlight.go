package lessons

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/yuin/goldmark"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
)

// A codeInk is how a kind of token looks: its colour in the light theme and in the dark
// one, and what else CSS says of it.
type codeInk struct{ light, dark, style string }

// codeInks colours code by what it is, in few colours. Each one has a contrast of at
// least 4.5 to 1 on the backgrounds of code in its theme. They set no backgrounds: those
// are the page's.
var codeInks = map[chroma.TokenType]codeInk{
	chroma.Comment:       {"#57606a", "#a3adb8", "font-style: italic"},
	chroma.Keyword:       {"#8a1c7c", "#f0a6e4", ""},
	chroma.NameBuiltin:   {"#8a1c7c", "#f0a6e4", ""},
	chroma.NameFunction:  {"#0a4fa3", "#8fc4ff", ""},
	chroma.NameVariable:  {"#0a4fa3", "#8fc4ff", ""},
	chroma.LiteralString: {"#0b5d3b", "#8fdcb0", ""},
	chroma.LiteralNumber: {"#8a3b00", "#ffb98a", ""},
	chroma.GenericPrompt: {"#57606a", "#a3adb8", "font-weight: bold"},
	chroma.GenericOutput: {"#4a525b", "#b8c1cb", ""},
}

// highlighter marks up code with classes only.
func highlighter() goldmark.Extender {
	return highlighting.NewHighlighting(highlighting.WithFormatOptions(
		html.WithClasses(true), html.WithPreWrapper(codeBlock{})))
}

// codeBlock is the element around a listing. A listing may scroll sideways, so
// the keyboard must be able to reach it.
type codeBlock struct{}

func (codeBlock) Start(bool, string) string { return `<pre class="chroma" tabindex="0"><code>` }

func (codeBlock) End(bool) string { return "</code></pre>\n" }

// StyleSheet returns the CSS of highlighted code, in the colour scheme of the page
// around it: one rule for each ink, for its token classes and for those below it that
// have no ink of their own.
func StyleSheet() []byte {
	classes := make(map[chroma.TokenType][]string)
	for token, class := range chroma.StandardTypes {
		if inked := inkOf(token); inked != chroma.None && class != "" {
			classes[inked] = append(classes[inked], "."+class)
		}
	}
	css := bytes.NewBufferString("/* Generated: the colours of code in lessons. */\n")
	for _, token := range slices.Sorted(maps.Keys(classes)) {
		slices.Sort(classes[token])
		ink := codeInks[token]
		fmt.Fprintf(css, ".chroma :is(%s) { color: light-dark(%s, %s); %s }\n", strings.Join(classes[token], ", "), ink.light, ink.dark, ink.style)
	}
	return css.Bytes()
}

// inkOf returns the token itself or its nearest ancestor that has an ink of its own,
// [chroma.None] when there is none.
func inkOf(token chroma.TokenType) chroma.TokenType {
	for ; token > 0; token = token.Parent() {
		if _, ok := codeInks[token]; ok {
			return token
		}
	}
	return chroma.None
}
