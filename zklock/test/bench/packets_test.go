package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const monitorAnswer = "zk_version\t3.8.0\nzk_packets_received\t120\nzk_packets_sent\t150\nzk_peer_state\tleading\n"

func TestParseTraffic(t *testing.T) {
	tests := []struct {
		name, answer string
		want         traffic
		err          error
	}{
		{"complete", monitorAnswer, traffic{120, 150}, nil},
		{"not serving", "This ZooKeeper instance is not currently serving requests\n", traffic{}, errMonitor},
		{"half", "zk_packets_received\t120\n", traffic{}, errMonitor},
		{"no number", strings.Replace(monitorAnswer, "150", "many", 1), traffic{}, errMonitor},
		{"nothing", "", traffic{}, errMonitor},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseTraffic(test.answer)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("parseTraffic = %v, %v; want %v, %v", got, err, test.want, test.err)
			}
		})
	}
}

func FuzzParseTraffic(f *testing.F) {
	f.Add(monitorAnswer)
	f.Add("zk_packets_sent\t\nzk_packets_received\t-1")
	f.Fuzz(func(t *testing.T, answer string) {
		if got, err := parseTraffic(answer); err != nil && got != (traffic{}) {
			t.Errorf("%v with error %v", got, err)
		}
	})
}

// What we ask does not count, what others send does.
func TestQuestionTraffic(t *testing.T) {
	server := zktest.Start(t)
	conn := server.Conn(t)
	question, err := questionTraffic(t.Context(), server.Address())
	if err != nil {
		t.Fatal(err)
	}
	before, err := readTraffic(t.Context(), server.Address())
	if err != nil {
		t.Fatal(err)
	}
	const requests = 100
	for range requests {
		if _, _, err := conn.Exists("/"); err != nil {
			t.Fatal(err)
		}
	}
	after, err := readTraffic(t.Context(), server.Address())
	if err != nil {
		t.Fatal(err)
	}
	passed := after.since(before).since(question)
	// Some pings may pass, too, and an answer may count late.
	if passed.received < requests-2 || passed.received > requests+10 {
		t.Errorf("%d requests counted, want %d", passed.received, requests)
	}
	if n := passed.notifications(); n < -2 || n > 2 {
		t.Errorf("%d notifications counted, want none", n)
	}
}
