package starlark

import (
	"embed"
	"strings"
)

//go:embed templates/*.star
var files embed.FS

// A Template is a source to begin with. Its first line says what it is.
type Template struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
}

// Templates returns all, the right ones first.
func Templates() []Template {
	var all []Template
	for _, name := range []string{"predecessor", "read-write", "herd", "flag", "no-second-look"} {
		text, err := files.ReadFile("templates/" + name + ".star")
		if err != nil {
			panic(err) // it is built in
		}
		first, _, _ := strings.Cut(string(text), "\n")
		all = append(all, Template{name, strings.TrimPrefix(first, "# "), string(text)})
	}
	return all
}
