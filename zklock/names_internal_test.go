package zklock

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

func TestParseName(t *testing.T) {
	mutex, rw := mutexKind.markers, readKind.markers
	for _, c := range []struct {
		name     string
		markers  []string
		marker   string
		sequence int32
	}{
		{"_c_" + hexGUID + "-lock-0000000017", mutex, "lock-", 17},
		{"_c_" + dashGUID + "-lock-0000000017", mutex, "lock-", 17}, // Curator's
		{"lock-0000000017", mutex, "lock-", 17},
		{"lock-2147483647", mutex, "lock-", math.MaxInt32},
		{"lock--000000005", mutex, "lock-", -5},
		{"lock--2147483648", mutex, "lock-", math.MinInt32},
		{"_c_" + dashGUID + "-__READ__0000000003", rw, "__READ__", 3},
		{"_c_" + hexGUID + "-__WRIT__-000000003", rw, "__WRIT__", -3},
	} {
		marker, sequence, ok := parseName(c.name, c.markers)
		if !ok || marker != c.marker || sequence != c.sequence {
			t.Errorf("parseName(%q) = %q, %d, %v; want %q, %d", c.name, marker, sequence, ok, c.marker, c.sequence)
		}
	}
}

func TestParseNameRefusesStrays(t *testing.T) {
	for _, name := range []string{
		"", "lock-", "lock", "_c_", "_c_-lock-0000000001", "lock-1", "lock-00000000001", "lock-2147483648",
		"lock--2147483649", "lock--00000005", "lock-+000000001", "lock--000000000", "lock-0000000001x",
		"x-lock-0000000001", "_c_" + hexGUID + "lock-0000000001", "_c_" + hexGUID[1:] + "-lock-0000000001",
		"_c_" + dashGUID + "0-lock-0000000001", "_c_" + strings.Repeat("g", 32) + "-lock-0000000001",
		"_c_" + hexGUID + "-__READ__0000000001", "_c_" + hexGUID + "-Lock-0000000001",
	} {
		if _, _, ok := parseName(name, mutexKind.markers); ok {
			t.Errorf("parseName(%q) takes a stray for a contender", name)
		}
	}
}

func FuzzParseName(f *testing.F) {
	f.Add("_c_" + hexGUID + "-lock-0000000017")
	f.Add("_c_" + dashGUID + "-__WRIT__-2147483648")
	f.Add("lock--000000001")
	f.Add("_c_")
	markers := []string{lockMarker, readMarker, writeMarker}
	f.Fuzz(func(t *testing.T, name string) {
		guidOf(name)
		marker, sequence, ok := parseName(name, markers)
		if !ok {
			return
		}
		end := marker + fmt.Sprintf("%010d", sequence)
		prefix, found := strings.CutSuffix(name, end)
		if !found || prefix != "" && !strings.HasPrefix(prefix, protection) {
			t.Errorf("parseName(%q) = %q, %d", name, marker, sequence)
		}
	})
}

func TestGUIDOf(t *testing.T) {
	for name, want := range map[string]string{
		protectedName(hexGUID, lockMarker) + "0000000001": hexGUID,
		protectedName(hexGUID, readMarker) + "0000000001": hexGUID,
		"lock-0000000001": "",
		"_c_":             "",
	} {
		if got := guidOf(name); got != want {
			t.Errorf("guidOf(%q) = %q, want %q", name, got, want)
		}
	}
}
