package zkcli_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{"'", nil},
		{"ls", []string{"ls"}},
		{" \tls \v/\f", []string{"ls", "/"}},
		{"   ", []string{" "}}, // the last blank is a word
		{`create /a "two words"`, []string{"create", "/a", "two words"}},
		{`create /a 'it "is"'`, []string{"create", "/a", `it "is"`}},
		{`a"b c"d`, []string{`a"b`, `c"d`}},
		{`"a"b`, []string{"a", "b"}},
		{`"a`, []string{"a"}},
		{`''`, []string{""}},
		{`\"a\"`, []string{`\"a\"`}},
		{"\"a\u2028b\"", []string{"\"a\u2028b\""}},
		{"\xff", []string{"\uFFFD"}},
	} {
		if got := zkcli.Tokens(test.line); !slices.Equal(got, test.want) {
			t.Errorf("Tokens(%q) = %q, want %q", test.line, got, test.want)
		}
	}
}

// FuzzTokens asks for what holds of every line: words come from it, in order, and a
// word in quotes is one.
func FuzzTokens(f *testing.F) {
	for _, line := range script {
		f.Add(line.text)
	}
	f.Fuzz(func(t *testing.T, line string) {
		rest := strings.ToValidUTF8(line, "\uFFFD")
		for _, token := range zkcli.Tokens(line) {
			_, after, found := strings.Cut(rest, token)
			if !found {
				t.Fatalf("%q has the word %q, which is not in %q", line, token, rest)
			}
			rest = after
		}
		quoted := "x" + strings.Map(func(r rune) rune {
			if strings.ContainsRune("\"\n\r\u0085\u2028\u2029", r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(line, "\uFFFD"))
		if got := zkcli.Tokens(`create "` + quoted + `" /`); !slices.Equal(got, []string{"create", quoted, "/"}) {
			t.Errorf("%q in quotes is %q", quoted, got)
		}
	})
}
