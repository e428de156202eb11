package queue

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

const (
	hexGUID  = "5f0c38d9b6c04d7f8a40ad6f25d79f27"
	dashGUID = "5f0c38d9-b6c0-4d7f-8a40-ad6f25d79f27"
)

var (
	mutexMarkers = Mutex.Markers
	rwMarkers    = Writer.Markers
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name     string
		markers  []string
		marker   string
		sequence int32
	}{
		{"_c_" + hexGUID + "-lock-0000000017", mutexMarkers, "lock-", 17},
		{"_c_" + dashGUID + "-lock-0000000017", mutexMarkers, "lock-", 17}, // Curator's
		{"lock-0000000017", mutexMarkers, "lock-", 17},
		{"lock-2147483647", mutexMarkers, "lock-", math.MaxInt32},
		{"lock--000000005", mutexMarkers, "lock-", -5},
		{"lock--2147483648", mutexMarkers, "lock-", math.MinInt32},
		{"_c_" + dashGUID + "-__READ__0000000003", rwMarkers, "__READ__", 3},
		{"_c_" + hexGUID + "-__WRIT__-000000003", rwMarkers, "__WRIT__", -3},
		{hexGUID + "__lock__0000000003", Mutex.With([]string{"__lock__"}).Markers, "__lock__", 3}, // kazoo's
	} {
		marker, sequence, ok := Parse(c.name, c.markers)
		if !ok || marker != c.marker || sequence != c.sequence {
			t.Errorf("Parse(%q) = %q, %d, %v; want %q, %d", c.name, marker, sequence, ok, c.marker, c.sequence)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, name := range []string{
		"", "lock-", "lock", "_c_", "_c_-lock-0000000001", "lock-1", "lock-00000000001", "lock-2147483648",
		"lock--2147483649", "lock--00000005", "lock-+000000001", "lock--000000000", "lock-0000000001x",
		"x-lock-0000000001", "_c_" + hexGUID + "lock-0000000001", "_c_" + hexGUID[1:] + "-lock-0000000001",
		"_c_" + dashGUID + "0-lock-0000000001", "_c_" + strings.Repeat("g", 32) + "-lock-0000000001",
		"_c_" + hexGUID + "-__READ__0000000001", "_c_" + hexGUID + "-Lock-0000000001",
		hexGUID + "lock-0000000001", hexGUID + "__lock__0000000001", hexGUID,
	} {
		if _, _, ok := Parse(name, mutexMarkers); ok {
			t.Errorf("Parse(%q) takes it for a contender", name)
		}
	}
}

// What Parse takes, the server has written: there is one spelling of each number.
func FuzzParse(f *testing.F) {
	f.Add("_c_" + hexGUID + "-lock-0000000017")
	f.Add("_c_" + dashGUID + "-__WRIT__-2147483648")
	f.Add("lock--000000001")
	f.Add("_c_")
	f.Fuzz(func(t *testing.T, name string) {
		marker, sequence, ok := Parse(name, Markers())
		if !ok {
			return
		}
		prefix, found := strings.CutSuffix(name, marker+fmt.Sprintf("%010d", sequence))
		if !found || prefix != "" && !strings.HasPrefix(prefix, protection) {
			t.Errorf("Parse(%q) = %q, %d", name, marker, sequence)
		}
		if _, foreign := Read([]string{name}, Markers(), math.MaxInt32); foreign != "" {
			t.Errorf("%q is a contender and foreign", name)
		}
	})
}

// The names of other children may be shorter than those of contenders.
func TestGUID(t *testing.T) {
	for name, want := range map[string]bool{
		NumberedName(hexGUID, LockMarker, 1):  true,
		NumberedName(hexGUID, ReadMarker, -1): true,
		Name(hexGUID, PermitMarker):           true,
		"_c_" + hexGUID:                       false,
		"_c_" + hexGUID[1:] + "-lock-":        false,
		hexGUID + "-lock-0000000001":          false,
		"x_c_" + hexGUID + "-lock-0000000001": false,
		"lock-0000000001":                     false,
		"_c_":                                 false,
		"":                                    false,
	} {
		if got := IsOf(name, hexGUID); got != want {
			t.Errorf("IsOf(%q) = %v", name, got)
		}
	}
}

// Near its end the counter gives out numbers twice: they are refused.
func TestExhausted(t *testing.T) {
	for sequence, want := range map[int32]bool{
		0: false, ResetSequence: false, 2146435071: false,
		2146435072: true, math.MaxInt32: true, -1: true, math.MinInt32: true,
	} {
		if got := Exhausted(sequence); got != want {
			t.Errorf("Exhausted(%d) = %v", sequence, got)
		}
	}
}
