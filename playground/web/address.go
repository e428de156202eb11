package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// ownHost refuses requests for a name that is not ours: a foreign page that points its
// own name at our address would otherwise be of the same origin as ours. That takes a
// name, so an address in numbers is always ours.
func (s *Server) ownHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := hostName(c.Request().Host)
		if isLocal(name) || isNumeric(name) || s.replicas.Sent(c.Request()) || slices.Contains(s.config.AllowHosts, strings.ToLower(name)) {
			return next(c)
		}
		return fail(http.StatusForbidden, codeForeignHost,
			"this server does not go by the name %.100q; if it should, start it with -allow-host %.100s", name, name)
	}
}

// hostName is a Host header without its port.
func hostName(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return strings.Trim(hostPort, "[]")
	}
	return host
}

func isLocal(name string) bool { return name == "localhost" || strings.HasSuffix(name, ".localhost") }

func isNumeric(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// What a proxy tells of the request that it passes on.
const (
	forwardedHost  = "X-Forwarded-Host"
	forwardedProto = "X-Forwarded-Proto"
)

// forwarded are all headers by which somebody may claim to be a proxy.
var forwarded = []string{forwardedHost, forwardedProto, "X-Forwarded-For", "X-Forwarded-Port", "X-Forwarded-Protocol",
	"X-Forwarded-Ssl", "X-Url-Scheme", "X-Real-Ip", "Forwarded"}

// believeProxies takes the host that a trusted proxy was asked for as the request's
// own, and what everybody else says about that out of it, so that whoever looks at the
// request later may believe it. It changes the request in place, as echo's router
// looks at the one that it was given.
func (s *Server) believeProxies(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if !s.isProxy(r.RemoteAddr) && !s.replicas.Sent(r) {
			for _, name := range forwarded {
				r.Header.Del(name)
			}
			return next(c)
		}
		if host := last(r.Header, forwardedHost); host != "" {
			r.Host = host
		}
		// What else tells the scheme is not so well defined that it could be believed.
		for _, name := range []string{"X-Forwarded-Protocol", "X-Forwarded-Ssl", "X-Url-Scheme"} {
			r.Header.Del(name)
		}
		if proto := strings.ToLower(last(r.Header, forwardedProto)); proto == "https" || proto == "http" {
			r.Header.Set(forwardedProto, proto)
		} else {
			r.Header.Del(forwardedProto)
		}
		return next(c)
	}
}

// last is the last item of a header: the proxy next to us has added it.
func last(header http.Header, name string) string {
	values := header.Values(name)
	if len(values) == 0 {
		return ""
	}
	list := values[len(values)-1]
	return strings.TrimSpace(list[strings.LastIndex(list, ",")+1:])
}

func (s *Server) isProxy(remote string) bool {
	peer, err := netip.ParseAddrPort(remote)
	return err == nil && slices.ContainsFunc(s.config.TrustedProxies,
		func(p netip.Prefix) bool { return p.Contains(peer.Addr().Unmap()) })
}

// visitor returns what tells the address of who sent a request: its own, or the last
// that trusted proxies do not answer for, or what another replica says.
func (s *Server) visitor() echo.IPExtractor {
	otherwise := visitor(s.config.TrustedProxies)
	return func(r *http.Request) string {
		if s.replicas.Sent(r) {
			return r.Header.Get("X-Forwarded-For")
		}
		return otherwise(r)
	}
}

func visitor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		trust = append(trust, echo.TrustIPRange(&net.IPNet{
			IP: p.Masked().Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// belowBase takes the base path off a request, in place, and refuses what is not below it.
func (s *Server) belowBase(next echo.HandlerFunc) echo.HandlerFunc {
	base := s.config.BasePath
	return func(c echo.Context) error {
		url := c.Request().URL
		if base == "" {
			return next(c)
		}
		if url.Path == base { // the page's addresses are relative to what ends in a slash
			target := base + "/"
			if url.RawQuery != "" {
				target += "?" + url.RawQuery
			}
			return c.Redirect(http.StatusPermanentRedirect, target)
		}
		rest, below := strings.CutPrefix(url.Path, base+"/")
		if !below {
			return fail(http.StatusNotFound, "not_found", "there is no %s here: this playground is at %s/", url.Path, base)
		}
		url.Path = "/" + rest
		if url.RawPath != "" {
			raw, _ := strings.CutPrefix(url.RawPath, base)
			url.RawPath = raw
		}
		return next(c)
	}
}
