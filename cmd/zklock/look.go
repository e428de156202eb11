package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// list prints the queue of a lock, the first in line first.
func (p program) list(f *flags, ctx context.Context, s *zklock.Session) (int, error) {
	queue, err := zklock.Contenders(ctx, s, f.Arg(0), zklock.WithExtraMarkers(kazoo))
	if err != nil {
		return exitFailure, err
	}
	return 0, p.print(queue)
}

// kazoo is the marker of kazoo's Lock.
const kazoo = "__lock__"

func (p program) print(queue []zklock.Contender) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, c := range queue {
		data := strconv.Quote(string(c.Data))
		if string(c.Data) == zklock.RevokeMessage {
			data = "asked to leave"
		}
		fmt.Fprintf(w, "%s\t%s\tfor %v\tsession %#x\ttoken %d\t%s\t%s\n",
			does(c), c.Mode, time.Since(c.Since).Round(time.Second), c.SessionID, c.Token, c.Node, data)
	}
	return w.Flush()
}

func does(c zklock.Contender) string {
	if c.Holder {
		return "holds"
	}
	return "waits"
}

// revoke asks all holders of a lock to leave.
func (p program) revoke(f *flags, ctx context.Context, s *zklock.Session) (int, error) {
	queue, err := zklock.Contenders(ctx, s, f.Arg(0))
	if err != nil {
		return exitFailure, err
	}
	queue = slices.DeleteFunc(queue, func(c zklock.Contender) bool { return !c.Holder })
	if len(queue) == 0 {
		return exitFailure, fmt.Errorf("nobody holds %s", f.Arg(0))
	}
	for _, c := range queue {
		err = errors.Join(err, zklock.Revoke(ctx, s, c.Node))
	}
	if err != nil {
		return exitFailure, err
	}
	return 0, p.print(queue)
}

// doctor prints the queue and what is wrong with it.
func (p program) doctor(f *flags, ctx context.Context, s *zklock.Session) (int, error) {
	if _, err := p.list(f, ctx, s); err != nil {
		return exitFailure, err
	}
	queue, err := zklock.Contenders(ctx, s, f.Arg(0), zklock.WithExtraMarkers(kazoo))
	if err != nil {
		return exitFailure, err
	}
	children, stat, err := s.Client().Children(zklock.NewMutex(s, f.Arg(0)).Path())
	if errors.Is(err, zk.ErrNoNode) {
		fmt.Fprintln(p.stdout, "there is no such znode: nobody has used the lock, or it has been idle")
		return 0, nil
	}
	if err != nil {
		return exitFailure, err
	}
	fmt.Fprintf(p.stdout, "%d in the queue, next number %d of %d\n", len(queue), counter(stat), lastNumber)
	found := append(examine(queue), strangers(queue, children)...)
	if n := counter(stat); n > lastNumber {
		found = append(found, "the numbers are used up, and locks refuse to go on: delete the directory while it is idle")
	} else if n >= lastNumber/10*9 {
		found = append(found, "few numbers are left: a release by a client that is alone makes the directory anew, so let it be idle once")
	}
	for _, problem := range found {
		fmt.Fprintln(p.stdout, "problem:", problem)
	}
	if len(found) > 0 {
		return exitProblem, nil
	}
	return 0, nil
}

// lastNumber is the last one that locks use, see zklock.ErrSequenceExhausted.
const lastNumber = 1<<31 - 1<<20 - 1

// counter returns the number that the directory gives to its next child. The server shows
// twice the number of creations less that of children, in 32 bits.
func counter(stat *zk.Stat) int64 {
	return int64((uint32(stat.Cversion) + uint32(stat.NumChildren)) / 2)
}

// examine returns what is wrong with the contenders.
func examine(queue []zklock.Contender) (found []string) {
	held := map[int64]string{}
	for _, c := range queue {
		switch first, known := held[c.SessionID]; {
		case c.SessionID == 0:
			found = append(found, fmt.Sprintf("orphan: %s belongs to no session, and stays until somebody deletes it", c.Node))
		case known && !c.Holder:
			found = append(found, fmt.Sprintf("orphan or deadlock: %s waits, and the same session, %#x, holds by %s", c.Node, c.SessionID, first))
		case c.Holder:
			held[c.SessionID] = c.Node
		}
	}
	return found
}

// numbered is how names end that the server has numbered.
var numbered = regexp.MustCompile(`-?\d{10}$`)

// strangers returns who stands in the directory and is in no queue of ours.
func strangers(queue []zklock.Contender, children []string) (found []string) {
	for _, name := range children {
		ours := slices.ContainsFunc(queue, func(c zklock.Contender) bool { return strings.HasSuffix(c.Node, "/"+name) })
		if !ours && numbered.MatchString(name) {
			found = append(found, fmt.Sprintf("stranger: %s is of another kind of lock, and locks refuse to go on beside it", name))
		}
	}
	return found
}
