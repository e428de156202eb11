package lessons

import (
	"path"
	"regexp"
	"strings"
)

// ownMark stands in a line for the number of a znode of the reader's own, which only a run
// knows: the newest one whose path begins as the line does or, where there is none, the
// newest one in that directory.
var ownMark = regexp.MustCompile(`([^ ]*)\{(last|last but one)\}`)

// shown is a line as a reader sees it before there is a run.
func shown(line string) string { return ownMark.ReplaceAllString(line, "$1…") }

// HasOwn says whether a line has a mark.
func HasOwn(line string) bool { return ownMark.MatchString(line) }

// FillOwn returns a line with the numbers of the reader's own znodes, which own has in the
// order in which they were made. It is false if there is no such znode.
func FillOwn(line string, own []string) (string, bool) {
	filled := true
	line = ownMark.ReplaceAllStringFunc(line, func(found string) string {
		parts := ownMark.FindStringSubmatch(found)
		begin, place := parts[1], 1
		if parts[2] == "last but one" {
			place = 2
		}
		fits := withPrefix(own, begin)
		if len(fits) == 0 {
			fits = withPrefix(own, path.Dir(begin)+"/")
		}
		if len(fits) < place {
			filled = false
			return found
		}
		made := fits[len(fits)-place]
		return begin + number.FindString(made)
	})
	return line, filled
}

// number is what the server adds to the name of a sequential znode.
var number = regexp.MustCompile(`[0-9]{10}$`)

// withPrefix are the paths that begin so, and end in a number.
func withPrefix(all []string, prefix string) (some []string) {
	for _, each := range all {
		if strings.HasPrefix(each, prefix) && number.MatchString(each) {
			some = append(some, each)
		}
	}
	return some
}
