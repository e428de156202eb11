package link_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/go-zookeeper/zk"
)

// contact and goOn are the orders that a process takes.
const (
	contact = "contact"
	goOn    = "go on"
)

const failed = "its next request fails"

// A process is a client of plain go-zookeeper that is told what to do line by
// line, and tells line by line what becomes of it.
type process struct {
	tell   io.Writer
	conn   *zk.Conn
	path   string
	states chan learned
}

// learned is a state that the library has told of.
type learned struct {
	state zk.State
	at    time.Time
}

// live makes an ephemeral znode, gets in contact, and when it is ordered to go
// on, perhaps after it has stood still, works until its session is over.
func live(orders io.Reader, tell io.Writer, address, path string, dial zk.Dialer) error {
	p := &process{tell: tell, path: path, states: make(chan learned, 1000)}
	withoutRetry := func(network, address string, _ time.Duration) (net.Conn, error) {
		return dial(network, address, waitLimit) // a second attempt would be told
	}
	conn, _, err := zk.Connect([]string{address}, shortSession, zk.WithDialer(withoutRetry),
		zk.WithHostProvider(new(host)), zk.WithLogger(quiet{}), zk.WithEventCallback(p.changed))
	if err != nil {
		return err
	}
	defer conn.Close()
	p.conn = conn
	if _, err := conn.Create(path, nil, zk.FlagEphemeral, open); err != nil {
		return err
	}
	for lines := bufio.NewScanner(orders); lines.Scan(); {
		if err := p.obey(lines.Text()); err != nil {
			return err
		}
	}
	return nil
}

func (p *process) changed(e zk.Event) {
	if e.Type == zk.EventSession {
		p.states <- learned{e.State, time.Now()}
	}
}

func (p *process) obey(order string) error {
	if order == goOn {
		return p.goOn()
	}
	_, err := p.conn.Set(p.path, nil, -1)
	for len(p.states) > 0 {
		<-p.states // which led here
	}
	fmt.Fprintln(p.tell, contact)
	return err
}

// goOn makes a request, and tells when the process first hears of its
// connection's end, what came of the request, and what it learns.
func (p *process) goOn() error {
	_, err := p.conn.Set(p.path, nil, -1)
	if err == nil {
		return errors.New("its next request succeeds")
	}
	first := <-p.states
	fmt.Fprintln(p.tell, first.at.UnixNano())
	fmt.Fprintln(p.tell, failed)
	fmt.Fprintln(p.tell, "it learns", first.state)
	for next := range p.states {
		if _, err := fmt.Fprintln(p.tell, "it learns", next.state); err != nil || next.state == zk.StateExpired {
			return err
		}
	}
	return nil
}
