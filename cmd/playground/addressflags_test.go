package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestServeAsOnAServer: HTTPS below a path, with the metrics apart, as a file and the
// environment have it; and a certificate that is renewed meanwhile.
func TestServeAsOnAServer(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	renew := func(serial int64) {
		certificate, key := makeCertificate(t, serial)
		write("cert.pem", certificate)
		write("key.pem", key)
	}
	renew(1)
	config := write("playground.conf", "base-path /zk\nmetrics-addr 127.0.0.1:0\ntls-cert "+dir+"/cert.pem\ntls-key "+dir+"/key.pem\n")
	c := start(t, []string{"PLAYGROUND_CONFIG=" + config, "PLAYGROUND_ZOOKEEPER=" + server.Address()}, "serve", "-addr", "127.0.0.1:0")
	url := c.stdout.await(t, `(?m)^listening on (https://127\.0\.0\.1:[0-9]+/zk/)$`)
	metrics := c.stderr.await(t, `msg=metrics address=(http://127\.0\.0\.1:[0-9]+/metrics)`)

	if serial, status, _ := get(t, url+"healthz/ready"); status != http.StatusOK || serial != 1 {
		t.Errorf("%shealthz/ready: %d, with certificate %d", url, status, serial)
	}
	if _, status, _ := get(t, url+"metrics"); status != http.StatusNotFound {
		t.Errorf("the metrics are with the page, too: %d", status)
	}
	if _, status, text := get(t, metrics); status != http.StatusOK || !strings.Contains(text, "playground_zookeeper_up 1") {
		t.Errorf("%s: %d %.200s", metrics, status, text)
	}
	if _, status, text := get(t, strings.Replace(url, "https", "http", 1)); status != http.StatusBadRequest || !strings.Contains(text, "HTTPS") {
		t.Errorf("HTTP instead of HTTPS: %d %.200s", status, text)
	}

	renew(2)
	eventually(t, "the new certificate is shown", func() bool {
		serial, _, _ := get(t, url)
		return serial == 2
	})
	write("key.pem", "nonsense")
	for range 2 {
		if serial, status, _ := get(t, url); serial != 2 || status != http.StatusOK {
			t.Errorf("with a key that cannot be read: %d, certificate %d", status, serial)
		}
	}
	c.mustStop(t, syscall.SIGTERM)
	if warned := strings.Count(c.stderr.text(), "certificate has changed"); warned != 1 {
		t.Errorf("%d warnings of the key, want 1", warned)
	}
}

// get asks for an address over a connection of its own, and returns the number of the
// certificate that it saw, 0 for none.
func get(t *testing.T, url string) (serial int64, status int, text string) {
	t.Helper()
	client := http.Client{Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // it knows the certificate by its number
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.TLS != nil {
		serial = response.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	return serial, response.StatusCode, string(body)
}

// makeCertificate returns a self-signed certificate and its key.
func makeCertificate(t *testing.T, serial int64) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"},
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}))
}
