// Package wiretest has what the tests of ZooKeeper's protocol share: frames written
// without the code under test, so that no decoder is tested against its mirror image,
// and a conversation with every operation, as a real server had it.
package wiretest

import (
	"encoding/binary"
	"fmt"
)

// OpenACL is the list of one entry that lets everybody do everything.
type OpenACL struct{}

// Encode writes values as ZooKeeper does: an int as 32 bits, an int64, a bool, a
// string or a list of them, and an OpenACL.
func Encode(values ...any) []byte {
	var b []byte
	for _, value := range values {
		b = appendValue(b, value)
	}
	return b
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case int:
		return binary.BigEndian.AppendUint32(b, uint32(int32(v)))
	case int64:
		return binary.BigEndian.AppendUint64(b, uint64(v))
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case string:
		return append(appendValue(b, len(v)), v...)
	case []string:
		b = appendValue(b, len(v))
		for _, s := range v {
			b = appendValue(b, s)
		}
		return b
	case OpenACL:
		return append(b, Encode(1, 31, "world", "anyone")...)
	}
	panic(fmt.Sprintf("encode %T", value))
}

// Prefixed puts the length in front of a frame.
func Prefixed(payload []byte) []byte { return append(Encode(len(payload)), payload...) }
