package judge_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
)

// result is one with a cell of each kind.
func result() judge.Result {
	calm, _ := judge.Find("calm")
	pause, _ := judge.Find("pause")
	return judge.Result{Command: []string{"python3", "<mine>.py"}, Server: event.Server{Version: "3.8.0"}, Outcomes: []judge.Outcome{
		{Trial: calm, Run: "calm-1-5", Seed: 1, Clients: 5, Findings: []judge.Finding{
			{Property: judge.Safe, Verdict: event.Violated, Why: "clients 1 & 2 both believed", Seq: 12, At: 345},
			{Property: judge.Fair, Verdict: event.Undecided, Why: "too few"}},
			Smaller: &judge.Outcome{Trial: calm, Run: "calm-1-2", Clients: 2, Seed: 1, Findings: []judge.Finding{{Property: judge.Safe, Verdict: event.Violated, Why: "clients 1 and 2", Seq: 9, At: 99}}}},
		{Trial: pause, Run: "pause-1-2", Seed: 1, Clients: 2, Findings: []judge.Finding{{Property: judge.Safe, Verdict: event.Holds, Why: "fine"}}},
		{Trial: pause, Skipped: "no servers"},
	}}
}

func TestWriteTable(t *testing.T) {
	var got strings.Builder
	if err := result().WriteTable(&got); err != nil {
		t.Fatal(err)
	}
	want := `                      safe   live   fair   cheap  clean
calm                  FAILS  -      ?      -      -
pause                 ok     -      -      -      -
pause                 not done: no servers

calm, safe: clients 1 & 2 both believed.
  with 2 clients: clients 1 and 2.
  again: -trial calm -seed 1 -clients 2

calm, fair: too few.
`
	if got.String() != want {
		t.Errorf("got:\n%s", got.String())
	}
}

func TestWriteJUnit(t *testing.T) {
	var got strings.Builder
	if err := result().WriteJUnit(&got); err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(got.String()), &suite); err != nil {
		t.Fatal(err)
	}
	if suite.Tests != 4 || suite.Failures != 1 || suite.Skipped != 2 || len(suite.Cases) != 4 || suite.Cases[0].Failure.Message != "clients 1 & 2 both believed" {
		t.Errorf("%+v in\n%s", suite, got.String())
	}
}

// TestVerdict: what no trial has decided is no success, and what one has is decided.
func TestVerdict(t *testing.T) {
	calm, _ := judge.Find("calm")
	of := func(verdicts ...event.Verdict) judge.Outcome {
		o := judge.Outcome{Trial: calm}
		for i, p := range calm.Asks {
			o.Findings = append(o.Findings, judge.Finding{Property: p, Verdict: verdicts[min(i, len(verdicts)-1)]})
		}
		return o
	}
	for _, test := range []struct {
		outcomes []judge.Outcome
		want     event.Verdict
	}{
		{[]judge.Outcome{of(event.Holds)}, event.Holds},
		{[]judge.Outcome{of(event.Holds, event.Undecided), of(event.Undecided, event.Holds)}, event.Holds},
		{[]judge.Outcome{of(event.Undecided, event.Holds)}, event.Undecided},
		{[]judge.Outcome{of(event.Undecided, event.Violated)}, event.Violated},
		{[]judge.Outcome{{Trial: calm, Skipped: "no servers"}}, event.Undecided},
	} {
		r := judge.Result{Outcomes: test.outcomes}
		if got := r.Verdict(); got != test.want {
			t.Errorf("%s, want %s: %+v", got, test.want, test.outcomes)
		}
		text, err := json.Marshal(r)
		if err != nil || !strings.Contains(string(text), `"verdict":"`+string(test.want)+`"`) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

func TestWriteReport(t *testing.T) {
	var got strings.Builder
	if err := result().WriteReport(&got); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`python3 &lt;mine&gt;.py`, `it fails 1 of 3 trials`, `href="calm-1-5.html#run=calm-1-5&amp;seq=12&amp;at=345"`,
		`not done: no servers`, `It fails with 2 clients, too: <a href="calm-1-2.html#run=calm-1-2&amp;seq=9&amp;at=99">clients 1 and 2</a>.`, `-trial calm -seed 1 -clients 2`, `clients 1 &amp; 2 both believed.`} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("%q is missing in\n%s", want, got.String())
		}
	}
}
