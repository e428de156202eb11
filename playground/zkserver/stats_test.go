package zkserver

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// answer380 is what a standalone 3.8.0 says.
const answer380 = `Zookeeper version: 3.8.0-5a02a05eddb59aee6ac762f7ea82e92a68eb9c0f, built on 2022-02-25 08:49 UTC
Latency min/avg/max: 0/0.4211/13
Received: 77
Sent: 76
Connections: 3
Outstanding: 1
Zxid: 0x1f
Mode: standalone
Node count: 9
`

func TestParseStats(t *testing.T) {
	tests := []struct {
		name   string
		answer string
		want   Stats
		err    error
	}{
		{"standalone", answer380, Stats{"3.8.0", "3.8.0-5a02a05eddb59aee6ac762f7ea82e92a68eb9c0f, built on 2022-02-25 08:49 UTC", "standalone", 0x1f, 3, 1, 9}, nil},
		{"Windows line ends", "Zookeeper version: 3.9.3\r\nMode: leader\r\n", Stats{Version: "3.9.3", Build: "3.9.3", Mode: "leader"}, nil},
		{"unknown lines", "Zookeeper version: 4.0\nMode: follower\nProposal sizes: 1/2/3\n\n:\n", Stats{Version: "4.0", Build: "4.0", Mode: "follower"}, nil},
		{"bad numbers", "Zookeeper version: 3.8.0\nMode: observer\nConnections: many\nNode count: -1\nZxid: ?\n", Stats{Version: "3.8.0", Build: "3.8.0", Mode: "observer"}, nil},
		{"booting", "This ZooKeeper instance is not currently serving requests\n", Stats{}, ErrNotServing},
		{"not allowed", "srvr is not executed because it is not in the whitelist.\n", Stats{}, ErrNotZooKeeper},
		{"another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", Stats{}, ErrNotZooKeeper},
		{"nothing", "", Stats{}, ErrNotZooKeeper},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseStats(test.answer)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("parseStats = %+v, %v; want %+v, %v", got, err, test.want, test.err)
			}
		})
	}
}

func FuzzParseStats(f *testing.F) {
	f.Add(answer380)
	f.Add("This ZooKeeper instance is not currently serving requests\n")
	f.Add("Zookeeper version:\nMode: x\nZxid: 0xffffffffffffffff\nConnections: 99999999999999999999")
	f.Fuzz(func(t *testing.T, answer string) {
		stats, err := parseStats(answer)
		if err != nil {
			if stats != (Stats{}) {
				t.Errorf("both %+v and %v", stats, err)
			}
			return
		}
		if stats.Version == "" || stats.Mode == "" {
			t.Errorf("no version or mode: %+v", stats)
		}
		if min(stats.Connections, stats.Outstanding, stats.Znodes) < 0 {
			t.Errorf("a negative count: %+v", stats)
		}
	})
}

func TestNextTimeout(t *testing.T) {
	late := fmt.Errorf("ask: %w", context.DeadlineExceeded)
	tests := []struct {
		name string
		last time.Duration
		err  error
		want time.Duration
	}{
		{"served", shortTimeout, nil, longTimeout},
		{"refused", longTimeout, errors.New("refused"), shortTimeout},
		{"was late", shortTimeout, late, 2 * shortTimeout},
		{"was very late", longTimeout - 1, late, longTimeout},
		{"does not answer any more", longTimeout, late, shortTimeout},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := nextTimeout(test.last, test.err); got != test.want {
				t.Errorf("nextTimeout = %v, want %v", got, test.want)
			}
		})
	}
}

func TestOlder(t *testing.T) {
	for version, want := range map[string]bool{"3.4.14": true, "3.5.10": true, "2.9": true, "3.6.0": false, "3.10.1": false, "4.0": false, "": false, "new": false} {
		if Older(version, 3, 6) != want {
			t.Errorf("%q is older: %t, want %t", version, !want, want)
		}
	}
}
