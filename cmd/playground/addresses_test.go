package main

import (
	"net"
	"slices"
	"testing"
)

// TestReachable wants who listens on one address to be reached there, and who listens
// everywhere at each of the machine's, at last at this machine alone.
func TestReachable(t *testing.T) {
	one := reachable(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
	if want := []string{"http://127.0.0.1:8080"}; !slices.Equal(one, want) {
		t.Errorf("reached at %v, want %v", one, want)
	}
	all := reachable(&net.TCPAddr{IP: net.IPv6unspecified, Port: 81})
	if last := all[len(all)-1]; last != "http://127.0.0.1:81" {
		t.Errorf("the last is %s, want this machine", last)
	}
}

func TestRankOfAddresses(t *testing.T) {
	sorted := []interfaceAddress{
		{"wlan0", net.IPv4(192, 168, 1, 7)}, {"eth0", net.IPv4(203, 0, 113, 5)}, {"eth0", net.ParseIP("fd00::1")},
		{"eth0", net.ParseIP("2001:db8::1")}, {"docker0", net.IPv4(172, 17, 0, 1)},
	}
	for i, better := range sorted[:len(sorted)-1] {
		if worse := sorted[i+1]; better.rank() >= worse.rank() {
			t.Errorf("%v has rank %d, %v %d: want it likelier", better, better.rank(), worse, worse.rank())
		}
	}
}
