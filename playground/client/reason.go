package client

import (
	"errors"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// Errors, and what chroot says of a refusal, are words. These are the ones that visitors
// meet again and again; each is the words of a code.
var known = []*event.Code{
	event.NewCode("context-canceled", "context canceled"),
	event.NewCode("deadline-exceeded", "context deadline exceeded"),
	event.NewCode("held-by-another", "[zklock: ]lock is held by another"),
	event.NewCode("session-closed", "[zklock: ]session closed"),
	event.NewCode("session-expired", "the server says it has expired"),
	event.NewCode("session-replaced", "the server has opened another"),
	event.NewCode("unlocked", "[zklock: ]unlocked"),
	event.NewCode("deleted-by-another", "znode was deleted by another"),
	event.NewCode("no-node", "zk: node does not exist"),
	event.NewCode("no-answer-from-zookeeper", "ZooKeeper does not answer"),
	event.NewCode("no-answer-from-store", "the store does not answer"),
	event.NewCode("acl-of-root", "the root's ACL is not the client's"),
}

// about are words before a colon, and the code of that with the reason that follows.
var about = map[string]*event.Code{
	"zklock: session lost: ":    event.NewCode("session-lost", "[zklock: session lost: ]{reason}"),
	"zklock: lock lost: ":       event.NewCode("lock-lost", "[zklock: ]lock lost: {reason}"),
	ErrZooKeeper.Error() + ": ": event.NewCode("no-answer-from-zookeeper-because", "ZooKeeper does not answer: {reason}"),
	ErrStore.Error() + ": ":     event.NewCode("no-answer-from-store-because", "the store does not answer: {reason}"),
}

const overdue = "nothing acknowledged within its timeout of "

var anotherKind = event.NewCode("another-kind-of-lock", "[zklock: ]another kind of lock is in the directory: {znode}[, give it a directory of its own or see WithExtraMarkers]")

var nothingAcknowledged = event.NewCode("nothing-acknowledged", overdue+"{span timeout}")

// Because is an error as a reason; nil for nil. An error may be a reason by itself.
func Because(err error) *event.Reason {
	if err == nil {
		return nil
	}
	return inCodes(err.Error(), err)
}

// inCodes is the reason in these words, of an error if there is one.
func inCodes(words string, err error) *event.Reason {
	var own interface{ Reason() *event.Reason }
	if errors.As(err, &own) && own.Reason().English() == words {
		return own.Reason()
	}
	var foreign *zklock.ForeignError
	if errors.As(err, &foreign) && anotherKind.With(foreign.Node).English() == words {
		return anotherKind.With(foreign.Node)
	}
	for _, code := range known {
		if code.With().English() == words {
			return code.With()
		}
	}
	for before, code := range about {
		if rest, ok := strings.CutPrefix(words, before); ok {
			return code.With(inCodes(rest, err))
		}
	}
	if timeout, err := time.ParseDuration(strings.TrimPrefix(words, overdue)); err == nil && strings.HasPrefix(words, overdue) {
		return nothingAcknowledged.With(timeout)
	}
	return event.Text(words)
}
