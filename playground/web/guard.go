package web

import (
	"net/http"
	"path"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// maxBody is the most that a request may carry; a scenario is 1 or 2 KB.
const maxBody = "64K"

// contentSecurity allows what is ours and nothing inline.
const contentSecurity = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guard puts the checks in front of every handler; the first ones also come before the
// router.
func (s *Server) guard() {
	s.echo.Pre(s.headers, s.believeProxies, s.ownHost, s.belowBase)
	s.echo.Use(
		middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}),
		s.ownOrigin(),
		s.toOwner,
		middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: maxBody, Skipper: isLarge}),
		s.limit,
		middleware.GzipWithConfig(middleware.GzipConfig{Skipper: isPacked}),
	)
}

func (s *Server) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", contentSecurity)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return next(c)
	}
}

// ownOrigin refuses commands that another site's page sends.
func (s *Server) ownOrigin() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if protection.Check(c.Request()) != nil {
				return errForeignOrigin
			}
			return next(c)
		}
	}
}

// isLarge says that a request brings a recording, which has a limit of its own.
func isLarge(c echo.Context) bool { return path.Base(c.Path()) == "upgrade" }

// isPacked says that an answer is a stream, or compressed where it is made.
func isPacked(c echo.Context) bool {
	return slices.Contains([]string{"stream", "console", "events", "recording", "export.html", "upgrade"}, path.Base(c.Path()))
}
