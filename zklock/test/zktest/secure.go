package zktest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// The ways in which a cluster in production is reached, and the servers of tests with -secure.
const (
	// TLS has clients use the secure port, each with a certificate.
	TLS = "tls"
	// Auth has clients authenticate by [Secret].
	Auth = "auth"
	// Chroot has connect strings end with a path. Only what dials can see to that.
	Chroot = "chroot"
)

// Secret is what a client authenticates by, with the scheme digest.
const Secret = "zktest:secret"

var secure []string // by -secure

func init() {
	flag.Func("secure", "`ways` in which the servers of the tests are reached: tls, auth, chroot, with commas between", func(ways string) error {
		secure = strings.Split(ways, ",")
		for _, way := range secure {
			if !slices.Contains([]string{TLS, Auth, Chroot}, way) {
				return fmt.Errorf("there is no way %q", way)
			}
		}
		return nil
	})
}

// Secure reports whether the servers of the tests are to be reached in a way.
func Secure(way string) bool { return slices.Contains(secure, way) }

// SkipSecure skips a test that by its nature cannot do with one of the ways.
func SkipSecure(tb testing.TB, why string, ways ...string) {
	tb.Helper()
	if slices.ContainsFunc(ways, Secure) {
		tb.Skip(why)
	}
}

// Dial connects to a server of the tests, by TLS with -secure tls.
func Dial(network, address string, timeout time.Duration) (net.Conn, error) {
	if Secure(TLS) {
		return DialTLS(network, address, timeout)
	}
	return net.DialTimeout(network, address, timeout)
}

// DialTLS connects to the secure port of a server.
func DialTLS(network, address string, timeout time.Duration) (net.Conn, error) {
	identity, err := certify()
	if err != nil {
		return nil, err
	}
	return tls.DialWithDialer(&net.Dialer{Timeout: timeout}, network, address, identity.config)
}

// StartTLS is [StartOwn] for a server with a secure port, too.
func StartTLS(tb testing.TB) *Server {
	tb.Helper()
	return startOwn(tb, zkserver.Config{}, true)
}

// secureLines returns what is in zoo.cfg for a port where clients speak TLS.
func secureLines(port int) ([]string, error) {
	identity, err := certify()
	if err != nil {
		return nil, err
	}
	return []string{
		"secureClientPortAddress=127.0.0.1",
		fmt.Sprintf("secureClientPort=%d", port),
		"serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
		"ssl.keyStore.location=" + identity.store,
		"ssl.trustStore.location=" + identity.store,
	}, nil
}

// An identity is a key and its certificate, which servers and clients have and trust.
type identity struct {
	store  string // a file as ZooKeeper reads it
	config *tls.Config
}

// certify makes the identity, in a directory that removeIdentity removes.
var certify = sync.OnceValues(func() (*identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:      pkix.Name{CommonName: "zktest"}, // Java takes none without
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if identityDir, err = os.MkdirTemp("", "zktest"); err != nil {
		return nil, err
	}
	store, certificate := filepath.Join(identityDir, "store.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	text := append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), certificate...)
	if err := os.WriteFile(store, text, 0o600); err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	config.RootCAs.AppendCertsFromPEM(certificate)
	return &identity{store, config}, nil
})

var identityDir string // "" where there is no identity

func removeIdentity() error {
	if identityDir == "" {
		return nil
	}
	return os.RemoveAll(identityDir)
}
