package zklock

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/go-zookeeper/zk"
)

// readResult is the result of one read, with the data of a directory.
func readResult(data []byte, version int32) message {
	m := message(nil).int32(opGetData).bool(false).int32(0).bytes(data)
	m = m.int64(madeBy).int64(0).int64(0).int64(0).int32(version).int32(0).int32(0)
	return m.int64(0).int32(int32(len(data))).int32(longQueue).int64(0)
}

func TestReadPassage(t *testing.T) {
	mark := readResult(formatMark(madeBy, 7), 3)
	own := readResult([]byte("own"), 0)
	for name, c := range map[string]struct {
		reply  message
		last   int32
		marked bool
		err    error
	}{
		"marked":                 {results(mark, own), 7, true, nil},
		"somebody's":             {results(readResult([]byte("text"), 3), own), 0, false, nil},
		"empty":                  {results(readResult([]byte{}, 3), own), 0, false, nil},
		"none":                   {results(readResult(nil, 3), own), 0, false, nil},
		"another directory's":    {results(readResult(formatMark(madeBy+1, 7), 3), own), 0, false, nil},
		"the own is the mark":    {results(readResult(nil, 3), mark), 0, false, nil},
		"own has gone":           {results(mark, failed(-101)), 0, false, zk.ErrNoNode},
		"directory has gone":     {results(failed(-101), failed(-101)), 0, false, zk.ErrNoNode},
		"not allowed":            {results(failed(-102), own), 0, false, zk.ErrNoAuth},
		"nothing":                {nil, 0, false, errShortReply},
		"no results":             {results(), 0, false, errShortReply},
		"one result":             {results(mark), 0, false, errShortReply},
		"three results":          {results(mark, own, own), 0, false, errShortReply},
		"no end":                 {append(bytes.Clone(mark), own...), 0, false, errShortReply},
		"cut in the data":        {mark[:40], 0, false, errShortReply},
		"cut in the second read": {results(mark, own)[:len(mark)+20], 0, false, errShortReply},
	} {
		got, err := readPassage(&reply{answer: answer{rest: c.reply}})
		if !errors.Is(err, c.err) || got.marked != c.marked || got.marked && got.last != c.last {
			t.Errorf("%s: %+v, %v; want %d, %v, %v", name, got, err, c.last, c.marked, c.err)
		}
		if err == nil && (got.stat == nil || got.stat.Version != 3 || got.stat.NumChildren != longQueue) {
			t.Errorf("%s: %+v", name, got.stat)
		}
	}
}

// An answer without an error has metadata, which are then used.
func TestReadPassageWithoutMetadata(t *testing.T) {
	for name, reply := range map[string]message{
		"an error that is none": results(failed(0), failed(0)),
		"an error cut short":    failed(-101)[:9],
	} {
		if got, err := readPassageOf(reply); err == nil && got.stat == nil {
			t.Errorf("%s: neither an error nor metadata", name)
		}
	}
}

func readPassageOf(rest []byte) (passage, error) {
	return readPassage(&reply{answer: answer{rest: rest}})
}

func FuzzReadPassage(f *testing.F) {
	mark, own := readResult(formatMark(madeBy, 7), 3), readResult([]byte("own"), 0)
	f.Add([]byte(results(mark, own)))
	f.Add([]byte(results(mark, failed(-101))))
	f.Add([]byte(results()))
	f.Add([]byte(binary.BigEndian.AppendUint32(mark[:9:9], math.MaxUint32)))
	f.Fuzz(func(t *testing.T, rest []byte) {
		got, err := readPassageOf(rest)
		switch {
		case err != nil && got != passage{}:
			t.Errorf("%+v with %v", got, err)
		case got.marked && (got.stat.Czxid < 0 && got.last < 0 || !bytes.Contains(rest, formatMark(got.stat.Czxid, got.last))):
			t.Errorf("a mark %d that is not in the reply", got.last)
		}
	})
}

// The bytes are those of a read of two, which leave no watch.
func TestPassageFrame(t *testing.T) {
	frame := passageRequest("/lock", "/lock/own").frame
	a := answer{rest: frame[frameHeader:]}
	if op := a.int32(); op != opMultiRead {
		t.Errorf("operation %d", op)
	}
	for _, want := range []string{"/lock", "/lock/own"} {
		op, done, code := a.int32(), a.bool(), a.int32()
		path, watch := a.text(), a.bool()
		if op != opGetData || done || code != -1 || path != want || watch {
			t.Errorf("operation %d, done %v, code %d, of %q, watch %v", op, done, code, path, watch)
		}
	}
	endsWell(t, &a)
}

// endsWell checks the end of a request of several operations.
func endsWell(t *testing.T, a *answer) {
	t.Helper()
	if op, done, code := a.int32(), a.bool(), a.int32(); op != -1 || !done || code != -1 {
		t.Errorf("ends with operation %d, done %v, code %d", op, done, code)
	}
	if a.short || len(a.rest) != 0 {
		t.Errorf("short %v, %d bytes too many", a.short, len(a.rest))
	}
}

// The bytes are those of a transaction: the deletion of any version, and the
// write at one.
func TestMarkFrame(t *testing.T) {
	for name, data := range map[string][]byte{"a mark": formatMark(madeBy, 8), "none": nil} {
		a := answer{rest: markRequest("/lock/own", "/lock", data, 3).frame[frameHeader:]}
		if op := a.int32(); op != opMulti {
			t.Errorf("%s: operation %d", name, op)
		}
		op, done, code := a.int32(), a.bool(), a.int32()
		path, version := a.text(), a.int32()
		if op != opDelete || done || code != -1 || path != "/lock/own" || version != -1 {
			t.Errorf("%s: operation %d, done %v, code %d, of %q at %d", name, op, done, code, path, version)
		}
		op, done, code, path = a.int32(), a.bool(), a.int32(), a.text()
		length := a.int32()
		if data == nil && length != -1 || !bytes.Equal(a.take(max(0, int(length))), data) {
			t.Errorf("%s: other data, of %d bytes", name, length)
		}
		if version := a.int32(); op != opSetData || done || code != -1 || path != "/lock" || version != 3 {
			t.Errorf("%s: operation %d, done %v, code %d, of %q at %d", name, op, done, code, path, version)
		}
		endsWell(t, &a)
	}
}

// The outcome of a transaction is that of both, or of none.
func TestMarkOutcome(t *testing.T) {
	deleted := message(nil).int32(opDelete).bool(false).int32(0)
	for name, c := range map[string]struct {
		reply message
		want  error
	}{
		"done":             {results(deleted, wrote(70)), nil},
		"another version":  {results(failed(0), failed(-103)), zk.ErrBadVersion},
		"not allowed":      {results(failed(0), failed(-102)), zk.ErrNoAuth},
		"gone already":     {results(failed(-101), failed(-2)), zk.ErrNoNode},
		"nothing was done": {results(), errShortReply},
		"cut short":        {results(deleted, wrote(70))[:30], errShortReply},
	} {
		r := markRequest("/lock/own", "/lock", nil, 3)
		if _, err := r.read(&reply{answer: answer{rest: c.reply}}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A path that go-zookeeper would refuse is left to it.
func TestMarkOfStrangePath(t *testing.T) {
	if passageRequest("/lock", "/lock/\u00e4").frame != nil || markRequest("/lock/\u00e4", "/lock", nil, 3).frame != nil {
		t.Error("sent past go-zookeeper")
	}
}
