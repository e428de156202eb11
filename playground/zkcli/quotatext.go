package zkcli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A quota is the text that a quota's znodes hold, as numbers by their names.
type quota map[string]int64

// The names of the numbers.
const (
	countKey     = "count"
	bytesKey     = "bytes"
	countHardKey = "countHardLimit"
	bytesHardKey = "byteHardLimit"
)

// none is what there is no limit of.
const none = -1

func (q quota) get(key string) int64 {
	if n, has := q[key]; has {
		return n
	}
	return none
}

// parseQuota reads the text of a quota: names and numbers, some with an equals sign too
// many.
func parseQuota(text string) (quota, error) {
	q := quota{}
	for _, pair := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		name, number, _ := strings.Cut(pair, "=")
		number, _, _ = strings.Cut(number, "=")
		if number == "" {
			number = strconv.Itoa(none)
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, numberFormat(number)
		}
		q[name] = n
	}
	return q, nil
}

// String is the text of a quota. The equals sign before the further limits keeps
// ZooKeeper 3.4 from reading them.
func (q quota) String() string {
	text := fmt.Sprintf("%s=%d,%s=%d", countKey, q.get(countKey), bytesKey, q.get(bytesKey))
	further := maps.Clone(q)
	delete(further, countKey)
	delete(further, bytesKey)
	if len(further) > 0 {
		text += "="
	}
	for _, key := range slices.Sorted(maps.Keys(further)) {
		text += fmt.Sprintf(";%s=%d", key, further[key])
	}
	return text
}
