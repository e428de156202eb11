// Package static holds the page: HTML, CSS and plain ES modules, served as they
// are written. The third-party modules under lib are fetched by `make lib` and
// not committed; without them the page says so.
package static

import "embed"

// Files is the page as it was when the program was built.
//
//go:embed index.html front.html saved.html site css js drawings all:lib
var Files embed.FS
