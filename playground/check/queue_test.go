package check

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// contender says in one line what placeOf works out.
var contender = regexp.MustCompile(`^(?:(?:_c_[0-9a-zA-Z-]+-|[0-9a-f]{32}-)?(lock-|__READ__|__WRIT__|lease-)|[0-9a-f]{32}(__r?lock__))([0-9]{10})$`)

func FuzzPlaceOf(f *testing.F) {
	for _, name := range []string{
		"lock-0000000001", "_c_3f1e-ab-lock-0000000012", "_c_0-__READ__0000000003", "__WRIT__9999999999",
		"_c_-lock-0000000001", "_c_--lock-0000000001", "_c_lock-0000000001", "c_1-lock-0000000001",
		"_c_é-lock-0000000001", "_c_\xff-lock-0000000001", "lock-+000000001", "lock-000000001", "0000000001",
		"_c_1-lock-lock-0000000001", "lock-0000000001\n", "lock-00000000011", "__READ__lock-0000000001", "",
		"0123456789abcdef0123456789abcdef__lock__0000000004", "0123456789abcdef0123456789abcdef__rlock__0000000005",
		"0123456789abcdef0123456789abcdef-lock-0000000005", "0123456789abcdef-lock-0000000005",
		"0123456789abcdef__lock__0000000004", "__lock__0000000004", "_c_0-__lock__0000000004",
	} {
		f.Add("/locks/mutex/" + name)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got, ok := placeOf(path)
		parts := contender.FindStringSubmatch(path[strings.LastIndexByte(path, '/')+1:])
		if ok != (parts != nil) {
			t.Fatalf("placeOf(%q) is %v, want %v", path, ok, !ok)
		}
		if !ok {
			return
		}
		number, err := strconv.ParseInt(parts[3], 10, 64)
		if want := (place{number, parts[1] == "__READ__" || parts[2] == "__rlock__"}); got != want || err != nil {
			t.Errorf("placeOf(%q) is %v, want %v", path, got, want)
		}
	})
}
