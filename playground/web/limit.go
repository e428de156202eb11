package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/web/ratelimit"
)

// The limits of requests. A class of fifty sits behind one address and begins at the
// same moment, so an address may do what ten busy people do.
var (
	commandRule = ratelimit.Rule{Name: "commands",
		Person:  ratelimit.Quota{AtOnce: 60, PerSecond: 20},
		Address: ratelimit.Quota{AtOnce: 600, PerSecond: 200}}
	// To start a run costs ZooKeeper a session for each client: one who does nothing else
	// would slow the locks of all rooms down. A script that starts one run after the other
	// needs two a second.
	runRule = ratelimit.Rule{Name: "starts of runs",
		Person:  ratelimit.Quota{AtOnce: 120, PerSecond: 2},
		Address: ratelimit.Quota{AtOnce: 1200, PerSecond: 20}}
	// A room that nobody uses has its place for 30 s: at two a second those of one
	// address never have most of them.
	roomRule = ratelimit.Rule{Name: "new rooms",
		Person:  ratelimit.Quota{AtOnce: 60, PerSecond: 2},
		Address: ratelimit.Quota{AtOnce: 120, PerSecond: 2}}
	// Events, recordings, exports, and recordings to upgrade. They take turns piece by piece, so what is under
	// way costs memory and a connection, and each has to wait for the others.
	downloadRule = ratelimit.Rule{Name: "downloads",
		Person:  ratelimit.Quota{AtOnce: 100, PerSecond: 50, Open: 10},
		Address: ratelimit.Quota{AtOnce: 500, PerSecond: 200, Open: 100}}
	// Each is a session on ZooKeeper, and a room has few places for them.
	consoleRule = ratelimit.Rule{Name: "consoles",
		Person:  ratelimit.Quota{AtOnce: 30, PerSecond: 0.5, Open: 4},
		Address: ratelimit.Quota{AtOnce: 300, PerSecond: 5, Open: 100}}
	// A room has places for so many viewers, and none for one person alone.
	streamRule = ratelimit.Rule{Name: "streams",
		Person:  ratelimit.Quota{AtOnce: 200, PerSecond: 20, Open: 20},
		Address: ratelimit.Quota{AtOnce: 2000, PerSecond: 200, Open: 1000}}
)

// Wrong codes of classes and wrong tokens have limits of their own. A class of fifty that
// mistypes must get in, and to try all codes from a school's one address must take years.
// The two are counted apart, so that wrong tokens do not stop a class from joining.
var (
	codeRule = ratelimit.Rule{Name: "wrong codes", Person: personGuesses, Address: addressGuesses}
	linkRule = ratelimit.Rule{Name: "wrong links", Person: personGuesses, Address: addressGuesses}

	personGuesses  = ratelimit.Quota{AtOnce: 10, PerSecond: 0.1}
	addressGuesses = ratelimit.Quota{AtOnce: 100, PerSecond: 0.1}
)

// RequestLimits are the limits of requests.
func RequestLimits() []ratelimit.Rule {
	return []ratelimit.Rule{commandRule, runRule, roomRule, downloadRule, streamRule, consoleRule}
}

// mostLimited is how many persons and addresses are remembered; one takes some 200 bytes.
const mostLimited = 20_000

// ruleOf is the rule for a request; limited is false when there is none.
func ruleOf(c echo.Context) (rule ratelimit.Rule, limited bool) {
	reads := c.Request().Method == http.MethodGet || c.Request().Method == http.MethodHead
	switch {
	case reads && slices.Contains([]string{"events", "recording", "export.html"}, path.Base(c.Path())):
		return downloadRule, true
	case reads && path.Base(c.Path()) == "console":
		return consoleRule, true
	case reads && isStream(c):
		return streamRule, true
	case reads:
		return rule, false
	case path.Base(c.Path()) == "upgrade":
		return downloadRule, true
	case c.Path() == "/api/rooms":
		return roomRule, true
	case c.Request().Method == http.MethodPost && path.Base(c.Path()) == "run":
		return runRule, true
	default:
		return commandRule, true
	}
}

// limit bounds how often one may ask for something: a person, and all behind an address.
func (s *Server) limit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		rule, limited := ruleOf(c)
		if !limited {
			return next(c)
		}
		leave, err := s.limiter.Enter(rule, personName(c), addressOf(c))
		if err != nil {
			return s.tooFast(c, err)
		}
		defer leave()
		return next(c)
	}
}

// tooFast is the answer to a request that is one too many.
func (s *Server) tooFast(c echo.Context, err error) error {
	var refused *ratelimit.Refused
	if !errors.As(err, &refused) {
		return err
	}
	s.metrics.refused.WithLabelValues(refused.Rule.Name + " by " + string(refused.By)).Inc()
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(refused.Seconds()))
	return fail(http.StatusTooManyRequests, "too_fast", "%s", refused)
}

func isStream(c echo.Context) bool { return path.Base(c.Path()) == "stream" }

// personName names who sent a request, for the limits: by the cookie, or by the address
// of who has none. Streams without a cookie are those of programs, each another one; who
// leaves it out gains no more than who makes cookies up.
func personName(c echo.Context) string {
	address := addressOf(c)
	if isStream(c) {
		address = c.Request().RemoteAddr
	}
	return cmp.Or(personID(cookie(c, personCookie)), address)
}

// addressOf is what stands for all who share the sender's address. Of IPv6 that is the
// network: one machine has as many addresses there as it likes.
func addressOf(c echo.Context) string {
	address, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return c.RealIP()
	}
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	network, _ := address.WithZone("").Prefix(64) // of 64 bits it has one
	return network.String()
}
