package zkserver

import (
	"fmt"
	"strconv"
	"strings"
)

// The modes of a server that takes part in the voting, or is alone.
const (
	ModeStandalone = "standalone"
	ModeLeader     = "leader"
	ModeFollower   = "follower"
)

// Stats is what a server says about itself.
type Stats struct {
	// Version is the release, for example 3.8.0.
	Version string
	// Build is the release with its commit and date, for example
	// 3.8.0-5a02a05eddb59, built on 2022-02-25.
	Build string
	// Mode is standalone, leader, follower, observer or read-only.
	Mode string
	// Zxid is the last transaction that this server knows.
	Zxid int64
	// Connections counts the clients' connections, the question's own included.
	Connections int
	// Outstanding counts the requests that wait for their turn.
	Outstanding int
	// Znodes counts the nodes of the whole tree.
	Znodes int
}

// parseStats reads the answer to srvr: lines of "name: value". Names that it
// does not know, and values that are no numbers, are left out: releases
// differ. Version and mode are what makes it an answer.
func parseStats(answer string) (Stats, error) {
	if strings.Contains(answer, "not currently serving requests") {
		return Stats{}, ErrNotServing
	}
	var stats Stats
	for line := range strings.Lines(answer) {
		name, value, _ := strings.Cut(line, ":")
		stats.set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if stats.Version == "" || stats.Mode == "" {
		return Stats{}, fmt.Errorf("%w: %q", ErrNotZooKeeper, firstLine(answer))
	}
	return stats, nil
}

func (s *Stats) set(name, value string) {
	switch strings.ToLower(name) {
	case "zookeeper version":
		s.Version, s.Build = release(value), value
	case "mode":
		s.Mode = value
	case "zxid":
		s.Zxid, _ = strconv.ParseInt(value, 0, 64)
	case "connections":
		s.Connections = count(value)
	case "outstanding":
		s.Outstanding = count(value)
	case "node count":
		s.Znodes = count(value)
	}
}

// release takes 3.8.0 from "3.8.0-5a02a05eddb59, built on 2022-02-25".
func release(version string) string {
	end := strings.IndexAny(version, "-, ")
	if end < 0 {
		return version
	}
	return version[:end]
}

// Older reports whether a release is from before major.minor. What is no release is not.
func Older(version string, major, minor int) bool {
	var itsMajor, itsMinor int
	if _, err := fmt.Sscanf(version, "%d.%d", &itsMajor, &itsMinor); err != nil {
		return false
	}
	return itsMajor < major || itsMajor == major && itsMinor < minor
}

// count reads a number that cannot be negative; what is none counts as 0.
func count(value string) int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// firstLine shortens an answer for an error message.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(len(line), 80)]
}
