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

// lightCode and darkCode colour code by what it is, in few colours. Each one
// has a contrast of at least 4.5 to 1 on the backgrounds of code in its theme. They
// set no backgrounds: those are the page's.
var (
	lightCode = chroma.StyleEntries{
		chroma.Comment:       "italic #57606a",
		chroma.Keyword:       "#8a1c7c",
		chroma.NameBuiltin:   "#8a1c7c",
		chroma.NameFunction:  "#0a4fa3",
		chroma.NameVariable:  "#0a4fa3",
		chroma.LiteralString: "#0b5d3b",
		chroma.LiteralNumber: "#8a3b00",
		chroma.GenericPrompt: "bold #57606a",
		chroma.GenericOutput: "#4a525b",
	}
	darkCode = chroma.StyleEntries{
		chroma.Comment:       "italic #a3adb8",
		chroma.Keyword:       "#f0a6e4",
		chroma.NameBuiltin:   "#f0a6e4",
		chroma.NameFunction:  "#8fc4ff",
		chroma.NameVariable:  "#8fc4ff",
		chroma.LiteralString: "#8fdcb0",
		chroma.LiteralNumber: "#ffb98a",
		chroma.GenericPrompt: "bold #a3adb8",
		chroma.GenericOutput: "#b8c1cb",
	}
)

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

// StyleSheet returns the CSS of highlighted code: the light theme, and the dark
// one where the root element has data-theme="dark" or, unless it has
// data-theme="light", the system prefers dark.
func StyleSheet() []byte {
	var css bytes.Buffer
	css.WriteString("/* Generated: the colours of code in lessons. */\n")
	css.Write(codeCSS(lightCode))
	dark := codeCSS(darkCode)
	css.WriteString("@media (prefers-color-scheme: dark) {\n:root:not([data-theme=\"light\"]) {\n")
	css.Write(dark)
	css.WriteString("}\n}\n:root[data-theme=\"dark\"] {\n")
	css.Write(dark)
	css.WriteString("}\n")
	return css.Bytes()
}

// codeCSS returns one rule for each entry of a style, for its token classes and
// for those below it that have no entry of their own.
func codeCSS(entries chroma.StyleEntries) []byte {
	classes := make(map[chroma.TokenType][]string)
	for token, class := range chroma.StandardTypes {
		if entry := entryOf(token, entries); entry != chroma.None && class != "" {
			classes[entry] = append(classes[entry], "."+class)
		}
	}
	var css bytes.Buffer
	for _, entry := range slices.Sorted(maps.Keys(classes)) {
		slices.Sort(classes[entry])
		style := html.StyleEntryToCSS(chroma.MustParseStyleEntry(entries[entry]))
		fmt.Fprintf(&css, ".chroma :is(%s) { %s }\n", strings.Join(classes[entry], ", "), style)
	}
	return css.Bytes()
}

// entryOf returns the token itself or its nearest ancestor that has an entry,
// [chroma.None] when there is none.
func entryOf(token chroma.TokenType, entries chroma.StyleEntries) chroma.TokenType {
	for ; token > 0; token = token.Parent() {
		if _, ok := entries[token]; ok {
			return token
		}
	}
	return chroma.None
}
