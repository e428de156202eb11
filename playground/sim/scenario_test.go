package sim_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/sim"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// TestShippedScenarios runs each scenario as it is shipped, but for the delay
// and with shorter holds, and expects what it promises.
func TestShippedScenarios(t *testing.T) {
	shipped, err := sim.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	server := zktest.Start(t)
	for _, scenario := range shipped {
		t.Run(scenario.Name, func(t *testing.T) {
			scenario.Delay, scenario.Arrive = 0, milliseconds(50)
			scenario.Hold, scenario.Think = between(20, 40), between(5, 15)
			scenario.Session = milliseconds(1000)
			for i := range scenario.Faults {
				scenario.Faults[i].At = milliseconds(300)
			}
			run := start(t, server, scenario)
			run.untilCount(40*len(scenario.Lanes), event.LockAcquired)
			run.finish()
			run.verdicts(scenario.Expect)
			if scenario.Lesson == "" || scenario.Summary == "" || scenario.Title == "" {
				t.Error("a learner is told too little about the scenario")
			}
		})
	}
}

func TestParseScenario(t *testing.T) {
	const good = `{"name":"x","lanes":[{"name":"a","recipe":"mutex"}],"clients":3,"session":"2s","hold":{"min":5,"max":"10ms"}`
	tests := []struct{ name, text, want string }{
		{"good", good + `}`, ""},
		{"empty", ``, "EOF"},
		{"not JSON", `herd`, "invalid character"},
		{"unknown field", good + `,"client":3}`, `unknown field "client"`},
		{"more behind it", good + `}{}`, "closing brace"},
		{"no clients", strings.Replace(good, `"clients":3`, `"clients":0`, 1) + `}`, "clients is 0, must be 1 to 1000"},
		{"too many clients", strings.Replace(good, `"clients":3`, `"clients":1001`, 1) + `}`, "clients is 1001"},
		{"no lanes", `{"name":"x","clients":3,"session":"2s"}`, "it has 0 lanes"},
		{"unknown recipe", strings.Replace(good, "mutex", "flag", 1) + `}`, `unknown recipe "flag", there are [herd mutex rw]`},
		{"a path for a name", strings.Replace(good, `"name":"a"`, `"name":"../a"`, 1) + `}`, "lane name"},
		{"two lanes of one name", strings.Replace(good, `{"name":"a","recipe":"mutex"}`, `{"name":"a","recipe":"mutex"},{"name":"a","recipe":"herd"}`, 1) + `}`, "both lanes"},
		{"no duration", strings.Replace(good, `"2s"`, `"soon"`, 1) + `}`, `"soon" is no duration`},
		{"a boolean duration", strings.Replace(good, `"2s"`, `true`, 1) + `}`, "true is no duration"},
		{"negative duration", strings.Replace(good, `"2s"`, `-5`, 1) + `}`, "out of range"},
		{"short session", strings.Replace(good, `"2s"`, `"100ms"`, 1) + `}`, "session is 100ms, must be 500ms to 1m0s"},
		{"hold upside down", strings.Replace(good, `"max":"10ms"`, `"max":"1ms"`, 1) + `}`, "hold.min is above hold.max"},
		{"unknown fault", good + `,"faults":[{"at":"1s","fault":"flood"}]}`, `unknown fault "flood"`},
		{"fault on nobody", good + `,"faults":[{"at":"1s","fault":"crash","client":4}]}`, "client is 4"},
		{"fault in no lane", good + `,"faults":[{"at":"1s","fault":"crash","lane":"b"}]}`, `no lane "b"`},
		{"no verdict", good + `,"expect":{"belief":"maybe"}}`, `"maybe" is no verdict`},
		{"writers", good + `,"writers":1.5}`, "writers is 1.5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := sim.ParseScenario([]byte(test.text))
			switch {
			case test.want == "" && err != nil:
				t.Errorf("unexpected error %v", err)
			case test.want != "" && (!errors.Is(err, sim.ErrScenario) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// FuzzParseScenario: whatever is accepted is valid and survives a round trip.
func FuzzParseScenario(f *testing.F) {
	shipped, err := sim.Shipped()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range shipped {
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := sim.ParseScenario(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sim.ParseScenario(again); err != nil {
			t.Errorf("accepted %s, then refused %s: %v", text, again, err)
		}
	})
}

func TestCatalogue(t *testing.T) {
	shipped, err := sim.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := shipped.Find("herd"); err != nil || s.Name != "herd" {
		t.Errorf("Find(herd) = %s, %v", s.Name, err)
	}
	if _, err := shipped.Find("nerd"); !errors.Is(err, sim.ErrUnknownScenario) || !strings.Contains(err.Error(), "read-write") {
		t.Errorf("Find(nerd) = %v, want the names there are", err)
	}
}
