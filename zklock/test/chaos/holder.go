package chaos

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// holderSession is the session timeout of a process that is to be stopped.
const holderSession = time.Second

// A Report is what [Hold] says after it was stopped.
type Report struct {
	// Believed says that the first look found the lease held.
	Believed bool
	// Wrote says that the guarded write was accepted.
	Wrote bool
}

// Hold is the main function of a process that is stopped while it holds the
// lock of kind "mutex" of a round with the given root. It writes the znode and
// the token to out in one line, waits for a line from in, which whoever stops it
// sends before letting it go on, and then acts as if nothing had happened: it
// looks at its lease, writes the register, and writes a [Report] to out.
func Hold(ctx context.Context, servers []string, root string, in io.Reader, out io.Writer) error {
	s, err := zklock.Dial(servers, holderSession)
	if err != nil {
		return err
	}
	defer s.Close(ctx)
	lease, err := zklock.NewMutex(s, path.Join(root, "mutex")).Lock(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, lease.Node(), int64(lease.Token()))
	if _, err := bufio.NewReader(in).ReadString('\n'); err != nil {
		return fmt.Errorf("wait to be stopped: %w", err)
	}
	report := Report{Believed: lease.Context().Err() == nil}
	report.Wrote = insist(register{path: registerPath(root, "mutex")}, s, lease)
	_, err = fmt.Fprintln(out, report.Believed, report.Wrote)
	return err
}

// insist writes until the outcome is known, and reports whether the write was
// accepted.
func insist(r register, s *zklock.Session, lease Lease) bool {
	for history := NewHistory(); ; {
		if outcome := r.use(s.Client(), lease, history); outcome != unknown {
			return outcome == accepted
		}
	}
}
