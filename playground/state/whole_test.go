package state_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/typescript"
	"github.com/zkplayground/zkplayground/playground/state"
)

//go:generate go test -run "TestStatesOfRecordings|TestTypeScript" -update .

var update = flag.Bool("update", false, "write the states of the recordings that the tests of the page read, and the generated TypeScript declarations")

// states has what the recordings have come to at some instants of each: the page's own tests find
// the same by folding all events.
const states = "../../static/test/fixtures/states.json.zst"

// statesEach is how many there are of each recording.
const statesEach = 6

func TestStatesOfRecordings(t *testing.T) {
	var got []string
	forEachRecording(t, func(t *testing.T, run event.Run, events []event.Event) {
		keeper := state.NewKeeper(run)
		name := strings.TrimSuffix(filepath.Base(t.Name()), ".ndjson.zst")
		due := len(events) / statesEach
		for i, e := range events {
			keeper.Apply(e)
			if i < due || i+1 < len(events) && events[i+1].Kind.Follows() {
				continue
			}
			due += len(events) / statesEach
			line, err := json.Marshal(map[string]any{"name": name, "event": event.Event{Seq: e.Seq, At: e.At, Kind: event.StateWhole, State: keeper.State()}})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
	})
	if *update {
		var compressed bytes.Buffer
		w, _ := zstd.NewWriter(&compressed)
		_, _ = io.WriteString(w, strings.Join(got, "\n"))
		w.Close()
		if err := os.WriteFile(states, compressed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(states)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), got); diff != "" {
		t.Errorf("%s is stale: run go generate ./playground/state (-want +got)\n%.2000s", states, diff)
	}
}

const declarations = "../../static/js/state.d.ts"

// TestTypeScript keeps the page's idea of a state equal to this package's.
func TestTypeScript(t *testing.T) {
	want := typescript.Header("playground/state") +
		"\nimport type { Account, Cost, Direction, Effect, Event, Participant, Reason } from './events.d.ts';\n" +
		typescript.Interfaces(state.Whole{}, state.Lane{}, state.Client{}, state.Contact{}, state.Left{}, state.ActiveFault{}, state.Node{}, state.Tree{},
			state.Znode{}, state.Gone{}, state.Told{}, state.Watch{}, state.Flight{}, state.Counted{}, state.Round{}, state.HandedOver{}, state.Wrong{}, state.Armed{})
	if *update {
		if err := os.WriteFile(declarations, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(declarations)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: run go generate ./playground/state", declarations)
	}
}
