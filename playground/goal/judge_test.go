package goal_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
)

// A logCase is a log and what it says of a goal. The test of the page's judge reads the
// same ones.
type logCase struct {
	Name string    `json:"name"`
	Goal goal.Goal `json:"goal"`
	// Recording names one of the page's fixtures; else the log stands here.
	Recording string        `json:"recording"`
	Lanes     []event.Lane  `json:"lanes"`
	Events    []event.Event `json:"events"`
	// Want is the verdict after each event with which it changes.
	Want []string `json:"want"`
}

func TestJudge(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []logCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Recording != "" {
				c.Lanes, c.Events = recorded(t, c.Recording)
			}
			if diff := cmp.Diff(c.Want, verdicts(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// verdicts are those after each event with which they change.
func verdicts(c logCase) (changes []string) {
	judge := goal.NewJudge(c.Goal, c.Lanes)
	last := ""
	for _, e := range c.Events {
		judge.Take(e)
		v := judge.Verdict()
		told := fmt.Sprintf("%s %s, step %d, mistake %d, at %d, done %v", v.State, v.Reason, v.Step, v.Mistake, v.At, v.Done)
		if told != last {
			changes = append(changes, fmt.Sprintf("%d: %s", e.Seq, told))
		}
		last = told
	}
	return changes
}

// recorded has the events that were observed, as if there were no others.
func recorded(t *testing.T, name string) ([]event.Lane, []event.Event) {
	t.Helper()
	file, err := os.Open("../../static/test/fixtures/" + name + ".ndjson.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	var events []event.Event
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if !e.Kind.Follows() {
			e.Seq = int64(len(events) + 1)
			events = append(events, e)
		}
	}
	return recording.Run.Lanes, events
}

// TestJudgeFollowsTheNewestWays: who makes very many znodes is not held up by them, and
// has done nothing in vain but with the oldest.
func TestJudgeFollowsTheNewestWays(t *testing.T) {
	made := goal.Pattern{Kind: event.WireReceived, Ops: []string{"create"}, Znode: "mine"}
	gone := goal.Pattern{Kind: event.TreeDeleted, Causes: []string{"close"}, Znode: "mine"}
	judge := goal.NewJudge(goal.Goal{Steps: []goal.Step{{Where: made}, {Where: gone}}}, nil)
	for i := range int64(1000) {
		judge.Take(event.Event{Seq: i + 1, Kind: event.WireReceived, Op: "create", Path: fmt.Sprint(i)})
	}
	for i, want := range map[int64]goal.State{0: goal.NotYet, 999: goal.Met} {
		one := *judge
		one.Take(event.Event{Seq: 1001, Kind: event.TreeDeleted, Cause: "close", Path: fmt.Sprint(i)})
		if got := one.Verdict().State; got != want {
			t.Errorf("when znode %d is gone: %s, want %s", i, got, want)
		}
	}
}
