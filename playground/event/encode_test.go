package event_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// line is the text of e in a log, with e as the log has numbered it.
func line(t testing.TB, e event.Event) (string, event.Event) {
	t.Helper()
	log := event.NewLog(event.LogConfig{Dir: t.TempDir()})
	defer log.Close()
	e, err := log.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := log.Lines(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), e
}

func requireSameAsJSON(t testing.TB, e event.Event) {
	t.Helper()
	got, e := line(t, e)
	want, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want)+"\n" {
		t.Errorf("the log has %sencoding/json %s", got, want)
	}
}

// TestLineHasEveryField sets one field after the other, so that a new one
// cannot be forgotten.
func TestLineHasEveryField(t *testing.T) {
	for i := range reflect.TypeFor[event.Event]().NumField() {
		var e event.Event
		set(t, reflect.ValueOf(&e).Elem().Field(i))
		requireSameAsJSON(t, e)
	}
	for i := range reflect.TypeFor[event.SubOp]().NumField() {
		var op event.SubOp
		set(t, reflect.ValueOf(&op).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Ops: []event.SubOp{op, {}, op}})
	}
	for i := range reflect.TypeFor[event.Reason]().NumField() {
		var reason event.Reason
		set(t, reflect.ValueOf(&reason).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Reason: &reason})
	}
	for i := range reflect.TypeFor[event.Stat]().NumField() {
		var stat event.Stat
		set(t, reflect.ValueOf(&stat).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Stat: &stat, Session: "0x1"})
	}
	for i := range reflect.TypeFor[event.Cost]().NumField() {
		var cost event.Cost
		set(t, reflect.ValueOf(&cost).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Cost: &cost})
	}
	requireSameAsJSON(t, event.Event{Account: &event.Account{Write: &event.Write{}}, Queue: &event.Queue{}})
	for i := range reflect.TypeFor[event.Watched]().NumField() {
		var watched event.Watched
		set(t, reflect.ValueOf(&watched).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Watched: &watched})
	}
	for i := range reflect.TypeFor[event.Round]().NumField() {
		var round event.Round
		set(t, reflect.ValueOf(&round).Elem().Field(i))
		requireSameAsJSON(t, event.Event{Cost: &event.Cost{Round: &round}})
	}
}

// set gives a field a value that is not its zero value.
func set(t *testing.T, field reflect.Value) {
	t.Helper()
	if field.Type() == reflect.TypeFor[json.RawMessage]() {
		field.SetBytes([]byte(`{"lanes":[]}`))
		return
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString("/a <b> & \"c\"\n\u2028\xff~\x7fé")
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		field.SetInt(-1 << (field.Type().Bits() - 1))
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	case reflect.Map:
		field.Set(reflect.ValueOf(event.Args{"b": int64(-1), "a": "<&>\u2028", "c": []int64{2, 3}, "d": event.Text("x"), "e": []*event.Reason{event.Text("y")}}))
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 2, 2))
	default:
		t.Fatalf("a field of kind %s", field.Kind())
	}
}

// TestLineQuotesEveryByte puts every byte into a string, alone and in company.
func TestLineQuotesEveryByte(t *testing.T) {
	for c := range 256 {
		requireSameAsJSON(t, event.Event{Path: string([]byte{byte(c)}), Why: fmt.Sprintf("a%cb", rune(c))})
	}
}

func FuzzLine(f *testing.F) {
	f.Add("mutex", "/lock/_c_1-lock-0000000001", "it's <so>", int64(1), int64(0), int32(-2), true, 2)
	f.Add("", "\xff\u2029", "\x00", int64(-1), int64(1)<<62, int32(0), false, 0)
	f.Fuzz(func(t *testing.T, a, b, c string, m, n int64, x int32, yes bool, ops int) {
		e := event.Event{Lane: a, Client: int(n), Kind: event.Kind(b), Op: c, Path: b, Flags: a, Watch: yes, Type: c,
			Xid: x, Zxid: m, Err: b, Latency: n, Children: int(x), Dir: event.Direction(c), Frame: m, Due: n,
			Session: a, Timeout: m, Token: n, Mode: c, Predecessor: b, Read: m, Balance: n, Cause: a, Fault: b,
			Server: c, For: m, Check: a, Verdict: event.Verdict(c), Sent: n, Delay: m, Held: yes, Why: b, Bytes: m, Data: c, By: int(n)}
		if yes {
			e.Stat = &event.Stat{Czxid: m, Mtime: n, Version: x, EphemeralOwner: a, NumChildren: x}
		}
		for range min(ops, 3) {
			e.Ops = append(e.Ops, event.SubOp{Op: a, Path: b, Flags: c, Err: a})
		}
		requireSameAsJSON(t, e)
	})
}
