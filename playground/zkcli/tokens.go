package zkcli

import (
	"regexp"
	"strings"
)

// word is one token of a line, in a group: a word that does not begin with a quote, or
// what is between quotes, without an escape for them. Java's \s is written out, as
// Go's has no vertical tab.
var word = regexp.MustCompile(`[ \t\n\v\f\r]*([^"'][^ \t\n\v\f\r]*|"[^"]*"|'[^']*')[ \t\n\v\f\r]*`)

// Tokens cuts a line into words as zkCli does. Quotes hold a word together where it
// begins with one, and nowhere else; one that is not closed is skipped. There are no
// words in an empty line and in a lone quote.
func Tokens(line string) []string {
	var tokens []string
	for _, match := range word.FindAllStringSubmatch(strings.ToValidUTF8(line, "\uFFFD"), -1) {
		tokens = append(tokens, unquoted(match[1]))
	}
	return tokens
}

// unquoted takes the quotes off a word in quotes, unless it goes over several lines.
func unquoted(token string) string {
	last := len(token) - 1
	quoted := last > 0 && (token[0] == '"' || token[0] == '\'') && token[last] == token[0]
	if !quoted || strings.ContainsAny(token, "\n\r\u0085\u2028\u2029") {
		return token
	}
	return token[1:last]
}
