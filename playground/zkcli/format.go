package zkcli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// zkCli's exit codes.
const (
	exitOK       = 0
	exitFailure  = 1
	exitNotFound = 127 // of a command that there is not
)

// A failure is a command's error: what it prints, and the exit code if it is the last.
type failure struct {
	exit  int
	text  string
	cause error // nil when zkCli found it wrong before it asked
}

func (f failure) Error() string { return f.text }

func (f failure) Unwrap() error { return f.cause }

// prefixes are what zkCli puts in front of the path for the errors that it explains;
// the spaces are its own.
var prefixes = map[wire.Code]string{
	wire.NoNode:                  "Node does not exist: ",
	wire.NoChildrenForEphemerals: "Ephemerals cannot have children: ",
	wire.NodeExists:              "Node already exists: ",
	wire.NotEmpty:                "Node not empty: ",
	wire.NotReadOnly:             "Not a read-only call: ",
	wire.InvalidACL:              "Acl is not valid : ",
	wire.NoAuth:                  "Insufficient permission : ",
	wire.BadArguments:            "Arguments are not valid : ",
	wire.BadVersion:              "version No is not valid : ",
	wire.QuotaExceeded:           "Quota has exceeded : ",
}

// sentences are the errors that zkCli explains without a path.
var sentences = map[wire.Code]string{
	wire.ReconfigInProgress: "Another reconfiguration is in progress -- concurrent reconfigs not supported (yet)",
	wire.NewConfigNoQuorum: "No quorum of new config is connected and up-to-date with the leader of last committed config" +
		" - try invoking reconfiguration after new servers are connected and synced",
}

// javaNames are the codes that Java's client calls otherwise than we do.
var javaNames = map[wire.Code]string{
	wire.NotEmpty:                "Directory not empty",
	wire.SessionExpired:          "Session expired",
	wire.InvalidCallback:         "Invalid callback",
	wire.SessionMoved:            "Session moved",
	wire.NotReadOnly:             "Not a read-only call",
	wire.EphemeralOnLocalSession: "Ephemeral node on local session",
	wire.NoWatcher:               "No such watcher",
	wire.ReconfigDisabled:        "Reconfig is disabled",
	wire.SessionClosedNoSASL:     "Session closed because client failed to authenticate",
	wire.QuotaExceeded:           "Quota has exceeded",
	wire.ThrottledOp:             "Op throttled due to high load",
}

// keeperMessage is the message of Java's exception for a code; path may be empty.
func keeperMessage(code wire.Code, path string) string {
	name, other := javaNames[code]
	if !other {
		name = code.String()
	}
	if path == "" {
		return "KeeperErrorCode = " + name
	}
	return "KeeperErrorCode = " + name + " for " + path
}

// failed is the error of a request about a path, in zkCli's words, unless it is in them
// already; path is empty for those that have none, which Java then calls null.
func failed(err error, path string) error {
	if f := (failure{}); err == nil || errors.As(err, &f) {
		return err
	}
	return failure{exitFailure, explain(err, path), err}
}

func explain(err error, path string) string {
	var code wire.Code
	if !errors.As(err, &code) {
		return reason(err)
	}
	if sentence, ok := sentences[code]; ok {
		return sentence
	}
	if prefix, ok := prefixes[code]; ok {
		if path == "" {
			path = "null"
		}
		return prefix + path
	}
	return keeperMessage(code, path)
}

// reason is the text of an error that is not the server's.
func reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return err.Error()
}

// formatStat is what zkCli prints of a Stat.
func formatStat(s wire.Stat, zone *time.Location) string {
	return fmt.Sprintf("cZxid = 0x%x\nctime = %s\nmZxid = 0x%x\nmtime = %s\npZxid = 0x%x\n"+
		"cversion = %d\ndataVersion = %d\naclVersion = %d\nephemeralOwner = 0x%x\ndataLength = %d\nnumChildren = %d\n",
		uint64(s.Czxid), formatTime(s.Ctime, zone), uint64(s.Mzxid), formatTime(s.Mtime, zone), uint64(s.Pzxid),
		s.Cversion, s.Version, s.Aversion, uint64(s.EphemeralOwner), s.DataLength, s.NumChildren)
}

// formatTime writes a time as Java's Date does.
func formatTime(millis int64, zone *time.Location) string {
	return time.UnixMilli(millis).In(zone).Format("Mon Jan 02 15:04:05 MST 2006")
}

// formatList is a list as Java prints it.
func formatList(list []string) string { return "[" + strings.Join(list, ", ") + "]" }

// letters of the rights, in the order in which zkCli prints them.
var permLetters = []struct {
	perm   wire.Perms
	letter byte
}{
	{wire.PermCreate, 'c'}, {wire.PermDelete, 'd'}, {wire.PermRead, 'r'}, {wire.PermWrite, 'w'}, {wire.PermAdmin, 'a'},
}

// formatACL is one entry of an ACL: Java's record of who, and the letters of what.
func formatACL(a wire.ACL) string {
	var letters []byte
	for _, p := range permLetters {
		if a.Perms&p.perm != 0 {
			letters = append(letters, p.letter)
		}
	}
	return fmt.Sprintf("'%s,'%s\n: %s\n", a.Scheme, a.ID, letters)
}

// parseACL reads an ACL as zkCli does: what it does not understand it complains about,
// and goes on without.
func parseACL(text string, complain func(string)) []wire.ACL {
	entries := strings.Split(text, ",")
	for text != "" && len(entries) > 0 && entries[len(entries)-1] == "" {
		entries = entries[:len(entries)-1] // Java's split drops them
	}
	acl := []wire.ACL{}
	for _, entry := range entries {
		first, last := strings.IndexByte(entry, ':'), strings.LastIndexByte(entry, ':')
		if first == last {
			complain(entry + " does not have the form scheme:id:perm")
			continue
		}
		acl = append(acl, wire.ACL{Perms: parsePerms(entry[last+1:], complain), Scheme: entry[:first], ID: entry[first+1 : last]})
	}
	return acl
}

func parsePerms(text string, complain func(string)) wire.Perms {
	var perms wire.Perms
	for _, letter := range text {
		known := false
		for _, p := range permLetters {
			if rune(p.letter) == letter {
				perms, known = perms|p.perm, true
			}
		}
		if !known {
			complain("Unknown perm type: " + string(letter))
		}
	}
	return perms
}

// formatEvent is how zkCli shows an event, which may come at any time.
func formatEvent(e Event) string {
	path := e.Path
	if e.Type == "None" {
		path = "null"
	}
	return "\nWATCHER::\n\nWatchedEvent state:" + e.State + " type:" + e.Type + " path:" + path + "\n"
}
