package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/web/ratelimit"
)

// A browser is known by a cookie with a secret of its own; nobody else has the secret,
// so nothing about it need be kept. Teachers have a second one, made of the token.

const (
	personCookie  = "playground"
	teacherCookie = "playground-teacher"
	// cookieLife is longer than any class.
	cookieLife = 30 * 24 * time.Hour
)

// cookieName has the port in it: browsers send a cookie to all ports of a host, and
// there may be several playgrounds.
func cookieName(name string, r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return name + "-" + port
	}
	return name
}

func setCookie(c echo.Context, name, value string) {
	c.SetCookie(&http.Cookie{Name: cookieName(name, c.Request()), Value: value, Path: "/", MaxAge: int(cookieLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: c.Scheme() == "https"})
}

func cookie(c echo.Context, name string) string {
	found, err := c.Cookie(cookieName(name, c.Request()))
	if err != nil {
		return ""
	}
	return found.Value
}

// personOf is who sent a request.
func (s *Server) personOf(c echo.Context) room.Person {
	p := room.Person{ID: personID(cookie(c, personCookie))}
	p.Teacher = s.hasToken(c) || !s.config.Guarded && s.config.Rooms.ClassOf(p) == nil
	return p
}

// personID is what may be kept of a secret, and shown.
func personID(secret string) string {
	if secret == "" {
		return ""
	}
	hash := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(hash[:8])
}

// meet gives a browser that has none a cookie.
func (s *Server) meet(c echo.Context) {
	if cookie(c, personCookie) == "" {
		setCookie(c, personCookie, rand.Text())
	}
}

// hasToken says whether the request comes from a browser that was opened with the
// teacher's link.
func (s *Server) hasToken(c echo.Context) bool {
	return hmac.Equal([]byte(cookie(c, teacherCookie)), []byte(s.teacherSecret()))
}

// teacherSecret is the value of the teacher's cookie: not the token, so that a cookie
// that is seen gives away no link.
func (s *Server) teacherSecret() string {
	code := hmac.New(sha256.New, []byte(s.config.TeacherToken))
	code.Write([]byte("teacher"))
	return hex.EncodeToString(code.Sum(nil))
}

// takeToken answers the teacher's link: the token becomes a cookie, and leaves the
// address.
func (s *Server) takeToken(c echo.Context, token string) error {
	err := s.guess(linkRule, personName(c), addressOf(c), func() error {
		if !hmac.Equal([]byte(token), []byte(s.config.TeacherToken)) {
			return errWrongToken
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.meet(c)
	setCookie(c, teacherCookie, s.teacherSecret())
	return c.Redirect(http.StatusSeeOther, s.config.BasePath+c.Request().URL.Path)
}

// A roomHandler answers requests to a room.
type roomHandler func(echo.Context, *room.Room) error

// may lets a request to a room through when the sender's role allows the action there.
// It is the one place that asks.
func (s *Server) may(action room.Action, handle roomHandler) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, err := s.config.Rooms.Get(c.Param("room"))
		if err != nil {
			return err
		}
		if err := r.Allow(s.personOf(c), action); err != nil {
			return err
		}
		return handle(c, r)
	}
}

// guess lets somebody try a code or a token, unless too many were wrong.
func (s *Server) guess(rule ratelimit.Rule, person, address string, try func() error) error {
	if !s.limiter.Allows(rule, person, address) {
		s.metrics.refused.WithLabelValues("guesses").Inc()
		return errGuesses
	}
	err := try()
	if err != nil {
		_, _ = s.limiter.Enter(rule, person, address) // counts it
	}
	return err
}
