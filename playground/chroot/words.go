package chroot

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

// unread words are known to every server and would reveal other rooms, so that they
// are answered as by a server that is configured by default.
var unread = []string{
	"conf", "cons", "crst", "dirs", "dump", "gtmk", "hash", "mntr", "srst", "stat", "stmk", "wchc", "wchp", "wchs",
}

// httpMethods are what an HTTP request begins with.
var httpMethods = []string{"GET ", "HEAD", "POST", "PUT ", "PATC", "DELE", "OPTI"}

const (
	// lingerTime and lingerBytes bound what is still read of a client that was
	// answered: to close before would take the answer back.
	lingerTime  = time.Second
	lingerBytes = 64 << 10
)

// word returns the answer to a connection that begins with these four bytes, false if
// they are the length of a frame.
func (c Config) word(first []byte, local net.Addr, connections func() int) (string, bool) {
	switch word := string(first); {
	case word == "ruok":
		return "imok", true
	case word == "isro":
		return "rw", true
	case word == "srvr":
		return c.statistics(connections()), true
	case word == "envi":
		return "Environment:\nzookeeper.version=" + c.Version + "\n", true
	case slices.Contains(unread, word):
		return word + " is not executed because it is not in the whitelist.\n", true
	case slices.Contains(httpMethods, word):
		return httpAnswer(local), true
	}
	return "", false
}

// statistics are in the shape of a server's, of this listener alone.
func (c Config) statistics(connections int) string {
	return fmt.Sprintf("Zookeeper version: %s\nLatency min/avg/max: 0/0.0/0\nReceived: 0\nSent: 0\n"+
		"Connections: %d\nOutstanding: 0\nZxid: 0x0\nMode: standalone\nNode count: 0\n", c.Version, connections)
}

func httpAnswer(local net.Addr) string {
	line := fmt.Sprintf("This is no web page: a ZooKeeper client connects here, for example zkCli.sh -server %s\n", local)
	return fmt.Sprintf("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Content-Length: %d\r\nConnection: close\r\n\r\n%s", len(line), line)
}

// first reads what a connection begins with. It is reported as the frame that it
// begins, unless it was a word and has been answered.
func (c Config) first(guest net.Conn, connections func() int) (begun []byte, answered bool, err error) {
	begun = make([]byte, lengthPrefix)
	if _, err := io.ReadFull(guest, begun); err != nil {
		return nil, false, fmt.Errorf("read the first bytes: %w", err)
	}
	if answer, found := c.word(begun, guest.LocalAddr(), connections); found {
		return nil, true, sayAndLinger(guest, answer)
	}
	return begun, false, nil
}

// sayAndLinger sends the last answer of a connection.
func sayAndLinger(guest net.Conn, answer string) error {
	if _, err := io.Copy(guest, strings.NewReader(answer)); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	linger(guest)
	return nil
}

// linger lets the last answer of a connection arrive.
func linger(guest net.Conn) {
	half, ok := guest.(interface{ CloseWrite() error })
	if ok && half.CloseWrite() == nil && guest.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, guest, lingerBytes) // its errors say only how it left
	}
}
