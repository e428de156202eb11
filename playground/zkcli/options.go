package zkcli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An option is what may follow a dash.
type option struct {
	name  string
	value bool   // it takes a value
	help  string // printed for a group of which one is missing
}

// Options are what a command takes, as the library reads them that zkCli uses: after
// dashes, anywhere in the line, several in one word, values in the word or after it.
type options struct {
	list []option
	// oneOf: only one of the options may be given; must: one has to be.
	oneOf, must bool
}

// A parsed is a command line, taken apart.
type parsed struct {
	values map[string]string // of the options that were given; empty for one that takes none
	args   []string          // the rest, beginning with the command
}

func (p parsed) has(name string) bool {
	_, has := p.values[name]
	return has
}

func (o options) find(name string) *option {
	i := slices.IndexFunc(o.list, func(one option) bool { return one.name == name })
	if i < 0 {
		return nil
	}
	return &o.list[i]
}

// A parser is at work on one command line.
type parser struct {
	options
	parsed
	open     *option // waits for its value
	selected string  // of oneOf
}

// javaError is how zkCli shows an error of its library.
func javaError(kind, format string, args ...any) error {
	return wrong("org.apache.commons.cli." + kind + ": " + fmt.Sprintf(format, args...))
}

// parse takes a command line apart.
func (o options) parse(args []string) (parsed, error) {
	p := &parser{options: o, parsed: parsed{values: map[string]string{}}}
	for i, token := range args {
		if token == "--" {
			p.args = append(p.args, args[i+1:]...)
			break
		}
		if err := p.token(token); err != nil {
			return parsed{}, err
		}
	}
	if err := p.complete(); err != nil {
		return parsed{}, err
	}
	if o.must && p.selected == "" {
		return parsed{}, javaError("MissingOptionException", "Missing required option: %s", o.group())
	}
	return p.parsed, nil
}

// group is how the library writes a group of options.
func (o options) group() string {
	var each []string
	for _, one := range o.list {
		each = append(each, "-"+one.name+" "+one.help)
	}
	return "[" + strings.Join(each, ", ") + "]"
}

func (p *parser) token(token string) error {
	switch {
	case p.open != nil && p.isValue(token):
		p.put(unwrapped(token))
		return nil
	case strings.HasPrefix(token, "--"):
		return unknown(token) // there are no long options
	case strings.HasPrefix(token, "-") && token != "-":
		return p.dash(token)
	}
	p.args = append(p.args, token)
	return nil
}

// isValue says whether a word after an option that takes a value is that: it is not if
// it looks like an option and is no number.
func (p *parser) isValue(token string) bool {
	if !strings.HasPrefix(token, "-") || token == "-" {
		return true
	}
	name, _, _ := strings.Cut(token[1:], "=")
	isOption := p.find(name) != nil || name != "" && p.find(firstLetter(name)) != nil
	return !isOption || isNumber(token)
}

// isNumber says whether Java takes a word for a number; its suffixes for the type are
// the one thing that Go does not know.
func isNumber(token string) bool {
	digits := strings.TrimRight(token, "dDfF")
	if len(token)-len(digits) > 1 || strings.ContainsAny(digits, "_") {
		digits = token
	}
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil
}

// dash reads a word of one or several options.
func (p *parser) dash(token string) error {
	name, value, equals := strings.Cut(token[1:], "=")
	if !equals {
		if one := p.find(name); one != nil {
			return p.take(one)
		}
		if len([]rune(name)) == 1 {
			return unknown(token)
		}
		return p.letters(token)
	}
	one := p.find(name)
	if one == nil || !one.value || len([]rune(name)) != 1 {
		return unknown(token)
	}
	if err := p.take(one); err != nil {
		return err
	}
	p.put(value)
	return nil
}

// letters reads a word of which each letter is an option, up to one that takes the
// rest as its value.
func (p *parser) letters(token string) error {
	letters := []rune(token[1:])
	for i, letter := range letters {
		one := p.find(string(letter))
		if one == nil {
			return unknown(token)
		}
		if err := p.take(one); err != nil {
			return err
		}
		if p.open != nil && i+1 < len(letters) {
			p.put(string(letters[i+1:]))
			return nil
		}
	}
	return nil
}

// take notes an option.
func (p *parser) take(one *option) error {
	if err := p.complete(); err != nil {
		return err
	}
	if p.oneOf {
		if p.selected != "" && p.selected != one.name {
			return javaError("AlreadySelectedException",
				"The option '%s' was specified but an option from this group has already been selected: '%s'", one.name, p.selected)
		}
		p.selected = one.name
	}
	if one.value {
		p.open = one
	} else {
		p.values[one.name] = ""
	}
	return nil
}

// unwrapped is a value without quotes around it, which the tokens may have kept.
func unwrapped(value string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
	if len(value) < 2 || len(inner) != len(value)-2 || strings.Contains(inner, `"`) {
		return value
	}
	return inner
}

// put is the open option's value, unless it has one: then that counts.
func (p *parser) put(value string) {
	if !p.has(p.open.name) {
		p.values[p.open.name] = value
	}
	p.open = nil
}

func (p *parser) complete() error {
	if p.open == nil {
		return nil
	}
	return javaError("MissingArgumentException", "Missing argument for option: %s", p.open.name)
}

func unknown(token string) error {
	return javaError("UnrecognizedOptionException", "Unrecognized option: %s", token)
}

func firstLetter(name string) string {
	for _, letter := range name {
		return string(letter)
	}
	return ""
}

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
