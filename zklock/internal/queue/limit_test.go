package queue

import (
	"errors"
	"testing"
)

func FuzzParseLimit(f *testing.F) {
	for _, seed := range []string{"", "1", "2147483647", "2147483648", "0", "-1", "+1", "01", "1 ", "x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := ParseLimit(data)
		switch {
		case err != nil && !errors.Is(err, ErrLimitMismatch):
			t.Errorf("ParseLimit(%q) = %v", data, err)
		case err == nil && (CheckLimit(n) != nil || string(FormatLimit(n)) != string(data)):
			t.Errorf("ParseLimit(%q) = %d", data, n)
		}
	})
}
