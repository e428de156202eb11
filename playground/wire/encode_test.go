package wire_test

import (
	"encoding/binary"
	"fmt"
)

// encode writes values as ZooKeeper does. It is the tests' own, so that the
// decoder is not tested against its mirror image.
func encode(values ...any) []byte {
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
	case openACL:
		return append(b, encode(1, 31, "world", "anyone")...)
	}
	panic(fmt.Sprintf("encode %T", value))
}

// openACL is the list of one entry that lets everybody do everything.
type openACL struct{}

func prefixed(payload []byte) []byte { return append(encode(len(payload)), payload...) }
