package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

// front answers with the front page; with the teacher's token in the address, that becomes
// a cookie first.
func (s *Server) front(c echo.Context) error {
	if token := c.QueryParam("teacher"); token != "" {
		return s.takeToken(c, token)
	}
	s.meet(c)
	return s.file(c, path.Join(path.Dir(s.config.Page), "front.html"), nil)
}

// roomPage answers with the page of a room. It is one level below the front page.
func (s *Server) roomPage(c echo.Context) error {
	s.meet(c)
	return s.file(c, s.config.Page, func(page []byte) []byte { return ownLinks.ReplaceAll(page, []byte(`$1"../$2/`)) })
}

// ownLinks are the addresses in the page that are relative to the front page.
var ownLinks = regexp.MustCompile(`((?:href|src)=)"(static|lessons|teacher)/`)

// asset answers with a file of the page.
func (s *Server) asset(c echo.Context) error {
	return s.file(c, strings.TrimPrefix(path.Clean("/"+c.Param("*")), "/"), nil)
}

// file answers with one file, changed if need be, and its hash, so that a browser asks
// each time whether it has changed, and seldom has to fetch it.
func (s *Server) file(c echo.Context, name string, change func([]byte) []byte) error {
	content, err := fs.ReadFile(s.config.Static, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err != nil && isDirectory(s.config.Static, name) {
		return fail(http.StatusNotFound, "not_found", "there is no %s here", c.Request().URL.Path)
	}
	if err != nil {
		return err
	}
	if change != nil {
		content = change(content)
	}
	hash := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(hash[:12]) + `"`
	c.Response().Header().Set("ETag", tag)
	c.Response().Header().Set("Cache-Control", "no-cache")
	if c.Request().Header.Get("If-None-Match") == tag {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, contentType(name), content)
}

func isDirectory(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.IsDir()
}

// contentType does not leave modules to what the system's table says.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return echo.MIMEOctetStream
}
