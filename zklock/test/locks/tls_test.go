package locks_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The locks work over TLS, by a dialer that speaks it.
func TestTLS(t *testing.T) {
	t.Parallel()
	store, config := certify(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	secure := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	server := zktest.StartOwn(t, zkserver.Config{Conf: func(dataDir string, clientPort, _ int) map[string]string {
		return map[string]string{filepath.Join("conf", "zoo.cfg"): fmt.Sprintf(`tickTime=100
maxSessionTimeout=60000
dataDir=%[1]s
clientPortAddress=127.0.0.1
clientPort=%[2]d
secureClientPortAddress=127.0.0.1
secureClientPort=%[3]d
serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
ssl.keyStore.location=%[4]s
ssl.trustStore.location=%[4]s
admin.enableServer=false
4lw.commands.whitelist=*
`, dataDir, clientPort, secure, store)}
	}})
	w := &world{TB: t, server: server, conn: server.Conn(t), path: server.Root(t) + "/lock"}
	s, err := zklock.Dial([]string{fmt.Sprint("127.0.0.1:", secure)}, session, zklock.WithDialer(
		func(network, address string, timeout time.Duration) (net.Conn, error) {
			return tls.DialWithDialer(&net.Dialer{Timeout: timeout}, network, address, config)
		}))
	if err != nil {
		t.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	w.doUnderEach(s)
	lease := w.lock(zklock.NewMutex(s, w.path))
	waiter := w.startLock(zklock.NewMutex(w.dial(session), w.path)) // without TLS
	w.unlock(lease)
	w.unlock(waiter.held(t))
}

// certify makes a key and a certificate, which both sides have and trust: in a file as
// ZooKeeper reads it, and for a client.
func certify(t *testing.T) (store string, config *tls.Config) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		Subject:      pkix.Name{CommonName: "zklock"}, // Java takes none without
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	store = filepath.Join(t.TempDir(), "store.pem")
	if err := os.WriteFile(store, append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), certificate...), 0o600); err != nil {
		t.Fatal(err)
	}
	config = &tls.Config{RootCAs: x509.NewCertPool(), Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	config.RootCAs.AppendCertsFromPEM(certificate)
	return store, config
}
