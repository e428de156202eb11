package scenario

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Duration is a time.Duration that reads and writes as Go spells it, "250ms".
// A bare number is read as milliseconds.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// Milliseconds returns the duration as a number of whole milliseconds.
func (d Duration) Milliseconds() int64 { return time.Duration(d).Milliseconds() }

// MarshalJSON implements json.Marshaler.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	switch v := value.(type) {
	case float64:
		if v < 0 || v > float64(24*time.Hour/time.Millisecond) {
			return fmt.Errorf("%v milliseconds is out of range", v)
		}
		*d = Duration(v * float64(time.Millisecond))
		return nil
	case string:
		parsed, err := time.ParseDuration(v)
		if err != nil {
			return fmt.Errorf("%q is no duration, write it as \"250ms\" or \"1.5s\"", v)
		}
		*d = Duration(parsed)
		return nil
	default:
		return fmt.Errorf("%s is no duration, write it as \"250ms\" or \"1.5s\"", text)
	}
}
