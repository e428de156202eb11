package check

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
)

//go:generate go test -run TestUpgradeRecording -update .
//go:generate go test -run "TestSummariesOfRecordings|TestRecordedBeliefs" -update .

var update = flag.Bool("update", false, "write the recordings that the tests of the page read, and what the checks take of them")

const recordings = "../../static/test/fixtures"

// TestRecordedBeliefs keeps the files from which the tests of the page know whom the
// checks take to believe that it holds: for each lane, the numbers of the events of
// its recipe after which that is somebody else, each followed by who it is.
func TestRecordedBeliefs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.ndjson.zst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", recordings, err)
	}
	for _, file := range files {
		got := beliefsOf(t, file)
		golden := strings.TrimSuffix(file, ".ndjson.zst") + ".beliefs.json"
		if *update {
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, append(text, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string][][]int64
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", golden, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is stale, run go generate ./playground/check (-want +got):\n%s", golden, diff)
		}
	}
}

func beliefsOf(t *testing.T, file string) map[string][][]int64 {
	t.Helper()
	content, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	recording, err := event.OpenRecording(content, Follow)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	defer recording.Close()

	changes := make(map[string][][]int64)
	folds := make(map[string]fold)
	for _, lane := range recording.Run.Lanes {
		folds[lane.Name], changes[lane.Name] = eachOf(func(l event.Lane) fold { return newBelief(l) })(lane), [][]int64{{0}}
	}
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		fold, ok := folds[e.Lane]
		if !ok {
			continue
		}
		fold.apply(&e)
		told := changes[e.Lane]
		now := believers(fold)
		if strings.HasPrefix(string(e.Kind), "lock.") && !slices.Equal(now, told[len(told)-1][1:]) {
			changes[e.Lane] = append(told, append([]int64{e.Seq}, now...))
		}
	}
	return changes
}

// believers are those of a lane, of several locks those of any.
func believers(f fold) []int64 {
	var clients []int64
	switch f := f.(type) {
	case split:
		for _, each := range f.folds {
			clients = append(clients, believers(each)...)
		}
	case *belief:
		for client := range maps.Keys(f.holders) {
			clients = append(clients, int64(client))
		}
	}
	slices.Sort(clients)
	return slices.Compact(clients)
}

// TestBesideTheQueues: what guests make beside the queues, and lose, changes no verdict and
// no count.
func TestBesideTheQueues(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.ndjson.zst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", recordings, err)
	}
	for _, file := range files {
		with, without := summaryOf(t, file, true), summaryOf(t, file, false)
		with.Events = without.Events
		if diff := cmp.Diff(without, with); diff != "" {
			t.Errorf("%s (-without +with znodes beside the queues):\n%s", file, diff)
		}
	}
}

// summaryOf replays a recording, with znodes beside the queues if that is wanted: before
// every seventh event of a client it makes one, changes it, and loses it.
func summaryOf(t *testing.T, file string, beside bool) Summary {
	t.Helper()
	content, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	recording, err := event.OpenRecording(content, Follow)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	defer recording.Close()
	checker := New(recording.Run)
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		i := slices.IndexFunc(recording.Run.Lanes, func(l event.Lane) bool { return l.Name == e.Lane && l.Store == "" && l.Root != "" })
		if beside && i >= 0 && e.Client > 0 && e.Seq%7 == 0 {
			node := event.Event{Lane: e.Lane, Client: e.Client, At: e.At, Session: e.Session, Path: recording.Run.Lanes[i].Root + "/mine0000000001"}
			for kind, cause := range map[event.Kind]string{event.TreeCreated: "client", event.TreeChanged: "", event.TreeDeleted: "expiry"} {
				node.Kind, node.Cause = kind, cause
				checker.Apply(node)
			}
		}
		checker.Apply(e)
	}
	return checker.Summary()
}
