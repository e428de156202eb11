package zkcli

import (
	"strconv"
	"unicode/utf16"
)

// checkPath says what is wrong with a path, in the words of ZooKeeper's client: before
// it asks the server. Characters are counted as Java has them.
func checkPath(path string) error {
	switch {
	case path == "":
		return wrong("Path length must be > 0")
	case path[0] != '/':
		return wrong("Path must start with / character")
	case path == "/":
		return nil
	case path[len(path)-1] == '/':
		return wrong("Path must not end with / character")
	}
	chars := utf16.Encode([]rune(path))
	for i := 1; i < len(chars); i++ {
		if reason := wrongChar(chars, i); reason != "" {
			return wrong("Invalid path string \"" + path + "\" caused by " + reason + " @" + strconv.Itoa(i))
		}
	}
	return nil
}

// wrongChar says what is wrong with the character at i, if anything.
func wrongChar(chars []uint16, i int) string {
	c, last := chars[i], chars[i-1]
	nameEnds := i+1 == len(chars) || chars[i+1] == '/'
	switch {
	case c == 0:
		return "null character not allowed"
	case c == '/' && last == '/':
		return "empty node name specified"
	case c == '.' && last == '.':
		if chars[i-2] == '/' && nameEnds {
			return "relative paths not allowed"
		}
	case c == '.':
		if last == '/' && nameEnds {
			return "relative paths not allowed"
		}
	case c <= 0x1f, 0x7f <= c && c <= 0x9f, 0xd800 <= c && c <= 0xf8ff, 0xfff0 <= c:
		return "invalid character"
	}
	return ""
}

// wrong is an error of the user, in zkCli's words.
func wrong(text string) error { return failure{exit: exitFailure, text: text} }
