package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path"
	"strings"
	"syscall"

	"github.com/zkplayground/zkplayground/playground/web"
)

// addressFlags are the flags that say where the playground serves, and who may come to
// it how.
type addressFlags struct {
	address, metricsAddress string
	basePath                string
	allowHosts              hostNames
	trustedProxies          prefixes
	certificate, privateKey string
}

func (f *addressFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&f.address, "addr", "127.0.0.1:8080", "`host:port` to serve on; port 0 picks a free one")
	flags.Var(&f.allowHosts, "allow-host", "`names` by which the playground may be asked for, besides localhost and addresses in numbers; a,b or given again")
	flags.StringVar(&f.basePath, "base-path", "", "`path` below which everything is served, such as /zk")
	flags.StringVar(&f.certificate, "tls-cert", "", "`file` with a certificate, to serve HTTPS; it is read anew when it has changed")
	flags.StringVar(&f.privateKey, "tls-key", "", "`file` with the certificate's key")
	flags.Var(&f.trustedProxies, "trusted-proxy", "`addresses` of proxies whose X-Forwarded-For, -Proto and -Host are believed; 127.0.0.1,10.0.0.0/8 or given again")
	flags.StringVar(&f.metricsAddress, "metrics-addr", "", "`host:port` to serve /metrics on, and there alone")
}

// check refuses what does not fit together.
func (f *addressFlags) check() error {
	if (f.certificate == "") != (f.privateKey == "") {
		return fmt.Errorf("%w: -tls-cert and -tls-key go together, give both or none", errUsage)
	}
	if f.basePath == "" || f.basePath == "/" {
		f.basePath = ""
		return nil
	}
	given := f.basePath
	f.basePath = strings.TrimSuffix(given, "/")
	if f.basePath != path.Clean(f.basePath) || f.basePath[0] != '/' || strings.Trim(f.basePath, pathCharacters) != "" {
		return fmt.Errorf("%w: -base-path %q: write it as /zk, of letters, digits, - _ . ~ and /", errUsage, given)
	}
	return nil
}

// pathCharacters are those that no browser or proxy writes in another way.
const pathCharacters = "/-_.~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// configure tells the server what the flags say.
func (f *addressFlags) configure(site *web.Config) {
	site.AllowHosts, site.TrustedProxies, site.BasePath = f.allowHosts, f.trustedProxies, f.basePath
	site.MetricsApart = f.metricsAddress != ""
}

// listeners are the sockets of a playground; metrics may be nil.
type listeners struct{ page, metrics net.Listener }

// listen opens the sockets that the flags name.
func (f *addressFlags) listen(ctx context.Context, log *slog.Logger) (l listeners, err error) {
	secure := func(l net.Listener) net.Listener { return l }
	if f.certificate != "" {
		c, err := openCertificate(f.certificate, f.privateKey, log)
		if err != nil {
			return l, fmt.Errorf("%w: -tls-cert, -tls-key: %w", errUsage, err)
		}
		secure = func(l net.Listener) net.Listener {
			return tls.NewListener(l, &tls.Config{GetCertificate: c.get, NextProtos: []string{"http/1.1"}})
		}
	}
	page, err := listen(ctx, "-addr", f.address)
	if err != nil {
		return l, err
	}
	l.page = secure(page)
	if f.metricsAddress != "" {
		if l.metrics, err = listen(ctx, "-metrics-addr", f.metricsAddress); err != nil {
			return l, errors.Join(err, l.close())
		}
	}
	return l, nil
}

func listen(ctx context.Context, name, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use: stop what runs there, or choose another with %s (port 0 picks a free one)", address, name)
	case err != nil:
		return nil, fmt.Errorf("%w: cannot serve on %s %s: %w", errUsage, name, address, err)
	}
	return listener, nil
}

// close closes the sockets, also those that somebody has closed already.
func (l listeners) close() error {
	var errs []error
	for _, listener := range []net.Listener{l.page, l.metrics} {
		if listener == nil {
			continue
		}
		if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// pageAddress is where the page is.
func (f *addressFlags) pageAddress(listener net.Listener) string {
	scheme := "http"
	if f.certificate != "" {
		scheme = "https"
	}
	address := scheme + "://" + listener.Addr().String()
	if f.basePath != "" {
		address += f.basePath + "/"
	}
	return address
}

// reachable are the addresses of which a teacher may pick one for a class: first the
// names that are allowed, then those that the machine has.
func (f *addressFlags) reachable(listener net.Listener) []string {
	scheme, port := "http://", ""
	if f.certificate != "" {
		scheme = "https://"
	}
	if address, ok := listener.Addr().(*net.TCPAddr); ok {
		port = fmt.Sprintf(":%d", address.Port)
	}
	var addresses []string
	for _, name := range f.allowHosts {
		if len(f.trustedProxies) > 0 { // it serves HTTPS, at the usual port
			addresses = append(addresses, "https://"+name+f.basePath)
		} else {
			addresses = append(addresses, scheme+name+port+f.basePath)
		}
	}
	for _, address := range reachable(listener.Addr()) {
		addresses = append(addresses, strings.Replace(address, "http://", scheme, 1)+f.basePath)
	}
	return addresses
}

// teacherAddress is the one for the teacher's link: at this machine, or by name if the
// playground has one, as whoever calls it so may sit elsewhere.
func (f *addressFlags) teacherAddress(addresses []string) string {
	if len(f.allowHosts) > 0 {
		return addresses[0]
	}
	return addresses[len(addresses)-1]
}

// othersReach says that people at other machines can come to the playground: at its
// own socket, or through a proxy at this one.
func (f *addressFlags) othersReach(listener net.Listener) bool {
	address, ok := listener.Addr().(*net.TCPAddr)
	return !ok || !address.IP.IsLoopback() || len(f.allowHosts) > 0 || len(f.trustedProxies) > 0
}

// hostNames is a flag that may be given again, and may name several at once.
type hostNames []string

func (h *hostNames) String() string { return strings.Join(*h, ",") }

// Set adds names; a wrong one is told by what is wrong with it.
func (h *hostNames) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || strings.ContainsAny(name, "/: *") {
			return errors.New("write names as play.example.org, without scheme, port or path")
		}
		*h = append(*h, name)
	}
	return nil
}

// prefixes is a flag that may be given again, and may name several at once.
type prefixes []netip.Prefix

func (p *prefixes) String() string {
	var texts []string
	for _, prefix := range *p {
		texts = append(texts, prefix.String())
	}
	return strings.Join(texts, ",")
}

// Set adds networks; an address is a network of one.
func (p *prefixes) Set(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		if address, err := netip.ParseAddr(text); err == nil {
			*p = append(*p, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return errors.New("write addresses as 127.0.0.1 or 10.0.0.0/8")
		}
		*p = append(*p, prefix)
	}
	return nil
}
