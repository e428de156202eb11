package zklock

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
)

// madeBy is the transaction that made the directory of these tests.
const madeBy = 0x1234567890

func TestMarkRoundTrip(t *testing.T) {
	for _, czxid := range []int64{0, 1, madeBy, math.MaxInt64} {
		for _, sequence := range []int32{0, 1, 9, 1 << 30, maxSequence, math.MaxInt32} {
			data := formatMark(czxid, sequence)
			if got, ok := parseMark(data, czxid); got != sequence || !ok || len(data) != markLength {
				t.Errorf("%q of %d: %d, %v", data, sequence, got, ok)
			}
			if _, ok := parseMark(data, czxid+1); ok {
				t.Errorf("%q is a mark in another directory", data)
			}
		}
	}
}

// What is not exactly as it is written is somebody's.
func TestNoMark(t *testing.T) {
	for name, data := range map[string]string{
		"nothing":            "",
		"another directory":  "zklock released 0000001234567891 0000000007",
		"cut short":          "zklock released 0000001234567890 000000000",
		"too long":           "zklock released 0000001234567890 00000000070",
		"negative":           "zklock released 0000001234567890 -000000007",
		"beyond the numbers": "zklock released 0000001234567890 2147483648",
		"no number":          "zklock released 0000001234567890 000000000x",
		"not filled up":      "zklock released 0000001234567890          7",
		"other digits":       "zklock released 000000123456789A 0000000007",
		"another word":       "zklock Released 0000001234567890 0000000007",
		"another separator":  "zklock released 0000001234567890\t0000000007",
		"somebody's":         strings.Repeat("x", markLength),
		"somebody's number":  strings.Repeat("0", markLength),
	} {
		if got, ok := parseMark([]byte(data), madeBy); ok {
			t.Errorf("%s: %q is taken for a mark, %d", name, data, got)
		}
	}
	if got, ok := parseMark([]byte("zklock released 0000001234567890 0000000007"), madeBy); got != 7 || !ok {
		t.Errorf("the mark that these are not: %d, %v", got, ok)
	}
}

// Of a directory, each mark has one spelling.
func FuzzParseMark(f *testing.F) {
	for _, sequence := range []int32{0, 7, math.MaxInt32} {
		f.Add(formatMark(madeBy, sequence), int64(madeBy))
	}
	f.Add([]byte("zklock released 0000001234567890 -000000007"), int64(madeBy))
	f.Add(formatMark(-1, 7), int64(-1))
	f.Add([]byte(strings.Repeat("0", markLength)), int64(0))
	f.Fuzz(func(t *testing.T, data []byte, czxid int64) {
		sequence, ok := parseMark(data, czxid)
		if ok && (sequence < 0 || !bytes.Equal(formatMark(czxid, sequence), data)) {
			t.Errorf("%q is taken for %d of %#x", data, sequence, czxid)
		}
	})
}

// statOf are the metadata of a directory.
func statOf(version, length, children int32) *zk.Stat {
	return &zk.Stat{Czxid: madeBy, Version: version, DataLength: length, NumChildren: children}
}

func TestSightingOf(t *testing.T) {
	const mark = int32(markLength)
	for name, c := range map[string]struct {
		length, children int32
		long, free       bool
	}{
		"alone, with a mark":           {mark, 1, false, false},
		"short and empty":              {0, longQueue - 1, false, true},
		"long and empty":               {0, longQueue, true, true},
		"long, with data":              {5, longQueue, true, false},
		"long, with a mark":            {mark, longQueue, true, false},
		"no longer so long":            {mark, longQueue / 2, true, false},
		"short again":                  {mark, longQueue/2 - 1, false, false},
		"short, of another length":     {mark + 1, longQueue - 1, false, false},
		"short, of one that is too so": {mark - 1, longQueue - 1, false, false},
	} {
		got := sightingOf(statOf(3, c.length, c.children), 1, longQueue)
		want := sighting{czxid: madeBy, version: 3, length: c.length, alone: c.children == 1, long: c.long, free: c.free, ahead: 1}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// One contender is no long queue, however few children make one.
func TestSightingOfOne(t *testing.T) {
	for long := range 4 {
		if sightingOf(statOf(3, int32(markLength), 1), 0, long).long {
			t.Errorf("long where %d children are", long)
		}
	}
}

// What is written, and when nothing is.
func TestSightingMark(t *testing.T) {
	const cleared = "(cleared)"
	good := sighting{czxid: madeBy, version: 3, length: int32(markLength), long: true, free: true, ahead: 1}
	for name, c := range map[string]struct {
		change   func(*sighting)
		sequence int32
		want     string // "" for nothing written
	}{
		"even":                     {nil, 8, "zklock released 0000001234567890 0000000008"},
		"odd":                      {nil, 7, ""},
		"the first number":         {nil, 0, "zklock released 0000001234567890 0000000000"},
		"nobody ahead":             {func(s *sighting) { s.ahead = 0 }, 8, "zklock released 0000001234567890 0000000008"},
		"seen too long ago":        {func(s *sighting) { s.ahead = 2 }, 8, ""},
		"empty":                    {func(s *sighting) { s.length = 0 }, 8, "zklock released 0000001234567890 0000000008"},
		"somebody's":               {func(s *sighting) { s.free = false }, 8, ""},
		"the first version":        {func(s *sighting) { s.version = 0 }, 8, "zklock released 0000001234567890 0000000008"},
		"any version":              {func(s *sighting) { s.version = -1 }, 8, ""},
		"a version gone round":     {func(s *sighting) { s.version = math.MinInt32 }, 8, ""},
		"short again":              {func(s *sighting) { s.long = false }, 8, cleared},
		"short again, odd":         {func(s *sighting) { s.long = false }, 7, cleared},
		"short, somebody's":        {func(s *sighting) { s.long, s.free = false, false }, 8, ""},
		"short, seen too long ago": {func(s *sighting) { s.long, s.ahead = false, 2 }, 8, ""},
		"short, any version":       {func(s *sighting) { s.long, s.version = false, -1 }, 8, ""},
		"short and empty":          {func(s *sighting) { s.long, s.length = false, 0 }, 8, ""},
		"nothing seen":             {func(s *sighting) { *s = sighting{} }, 8, ""},
	} {
		s := good
		if c.change != nil {
			c.change(&s)
		}
		data, ok := s.mark(c.sequence)
		got := string(data)
		if ok && data == nil {
			got = cleared
		}
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, c.want)
		}
	}
}

// That the data is nobody's is known of one version.
func TestSightingAfter(t *testing.T) {
	for name, c := range map[string]struct {
		earlier, later sighting
		free           bool
	}{
		"known before":     {sighting{version: 3, free: true}, sighting{version: 3}, true},
		"changed since":    {sighting{version: 3, free: true}, sighting{version: 4}, false},
		"never known":      {sighting{version: 3}, sighting{version: 3}, false},
		"seen now":         {sighting{version: 3}, sighting{version: 4, free: true}, true},
		"nothing earlier":  {sighting{}, sighting{version: 0}, false},
		"the rest is kept": {sighting{version: 3, free: true, ahead: 2, long: true}, sighting{version: 3, length: 5}, true},
	} {
		want := c.later
		want.free = c.free
		if got := c.later.after(c.earlier); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestSightingLeftOver(t *testing.T) {
	mark := sighting{length: int32(markLength), alone: true}
	for name, c := range map[string]struct {
		change func(*sighting)
		want   bool
	}{
		"left":            {func(*sighting) {}, true},
		"known to be one": {func(s *sighting) { s.free = true }, false},
		"not alone":       {func(s *sighting) { s.alone = false }, false},
		"another length":  {func(s *sighting) { s.length++ }, false},
		"empty":           {func(s *sighting) { s.length = 0 }, false},
	} {
		s := mark
		c.change(&s)
		if got := s.leftOver(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Only a Mutex that sees nobody else's contenders goes by marks.
func TestWhoGoesByMarks(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		kind kind
		opts []Option
		want bool
	}{
		"Mutex":          {"/lock", mutexKind, nil, true},
		"the root":       {"/", mutexKind, nil, false},
		"never":          {"/lock", mutexKind, []Option{WithMarks(0)}, false},
		"textbook":       {"/lock", mutexKind, []Option{WithTextbook()}, false},
		"others' too":    {"/lock", mutexKind, []Option{WithExtraMarkers("__lock__")}, false},
		"reader":         {"/lock", readKind, nil, false},
		"writer":         {"/lock", writeKind, nil, false},
		"herd":           {"/lock", herdKind, nil, false},
		"herd, textbook": {"/lock", herdKind, []Option{WithTextbook()}, false},
	} {
		s := NewSession()
		l := newLock(s, c.path, c.opts)
		if got := (&acquisition{lock: &l, kind: c.kind}).marks(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		s.stop()
	}
}

// The data of a directory is remembered to be somebody's at one version only.
func TestDirectoryKeep(t *testing.T) {
	const path = "/lock"
	var d directories
	kept := func() bool { known, _ := d.known(path); return known.kept }
	if d.keep(path, 3); len(d.seen) != 0 {
		t.Error("a directory is remembered that was never seen")
	}
	d.saw(path, statOf(3, int32(markLength), 1), longQueue)
	if d.keep(path, 4); kept() {
		t.Error("kept at another version")
	}
	if d.keep(path, 3); !kept() {
		t.Error("not kept")
	}
	if d.saw(path, statOf(3, int32(markLength), 2), longQueue); !kept() {
		t.Error("forgotten at the same version")
	}
	if d.saw(path, statOf(4, int32(markLength), 2), longQueue); kept() {
		t.Error("kept at the next version")
	}
}

func TestDirectoryOfALongQueue(t *testing.T) {
	const path, mark = "/lock", int32(markLength)
	var d directories
	for name, c := range map[string]struct {
		tell         func()
		long, marked bool
	}{
		"long":            {func() { d.saw(path, statOf(3, mark, longQueue), longQueue) }, true, true},
		"half":            {func() { d.saw(path, statOf(3, mark, longQueue/2), longQueue) }, false, true},
		"less":            {func() { d.saw(path, statOf(3, mark, longQueue/2-1), longQueue) }, false, false},
		"empty":           {func() { d.saw(path, statOf(3, 0, longQueue), longQueue) }, true, false},
		"another length":  {func() { d.saw(path, statOf(3, mark+1, longQueue), longQueue) }, true, false},
		"counted":         {func() { d.forget(path); d.counted(path, longQueue, longQueue) }, true, false},
		"counted, short":  {func() { d.counted(path, longQueue-1, longQueue) }, false, false},
		"counted, marked": {func() { d.saw(path, statOf(3, mark, 1), longQueue); d.counted(path, longQueue, longQueue) }, true, false},
	} {
		d.forget(path)
		c.tell()
		if got, _ := d.known(path); got.long != c.long || got.marked != c.marked || got.alone || got.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
