package scenario_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestParseScenario(t *testing.T) {
	const good = `{"name":"x","lanes":[{"name":"a","recipe":"mutex"}],"clients":3,"session":"2s","hold":{"min":5,"max":"10ms"}`
	tests := []struct{ name, text, want string }{
		{"good", good + `}`, ""},
		{"empty", ``, "EOF"},
		{"not JSON", `herd`, "invalid character"},
		{"unknown field", good + `,"client":3}`, `unknown field "client"`},
		{"more behind it", good + `}{}`, "closing brace"},
		{"fewer than no clients", strings.Replace(good, `"clients":3`, `"clients":-1`, 1) + `}`, "clients is -1, must be 0 to 1000"},
		{"fault on one of no clients", strings.Replace(good, `"clients":3`, `"clients":0`, 1) + `,"faults":[{"at":"1s","fault":"crash","client":-1}]}`, "client is -1, for one that the seed draws, and clients is 0"},
		{"too many clients", strings.Replace(good, `"clients":3`, `"clients":1001`, 1) + `}`, "clients is 1001"},
		{"no lanes", `{"name":"x","clients":3,"session":"2s"}`, "it has 0 lanes, must have 1 to 5"},
		{"unknown recipe", strings.Replace(good, "mutex", "magic", 1) + `}`, `unknown recipe "magic", there are [`},
		{"a path for a name", strings.Replace(good, `"name":"a"`, `"name":"../a"`, 1) + `}`, "lane name"},
		{"two lanes of one name", strings.Replace(good, `{"name":"a","recipe":"mutex"}`, `{"name":"a","recipe":"mutex"},{"name":"a","recipe":"herd"}`, 1) + `}`, "two lanes"},
		{"no duration", strings.Replace(good, `"2s"`, `"soon"`, 1) + `}`, `"soon" is no duration`},
		{"a boolean duration", strings.Replace(good, `"2s"`, `true`, 1) + `}`, "true is no duration"},
		{"negative duration", strings.Replace(good, `"2s"`, `-5`, 1) + `}`, "out of range"},
		{"short session", strings.Replace(good, `"2s"`, `"100ms"`, 1) + `}`, "session is 100ms, must be 500ms to 1m0s"},
		{"hold upside down", strings.Replace(good, `"max":"10ms"`, `"max":"1ms"`, 1) + `}`, "hold.min is above hold.max"},
		{"unknown fault", good + `,"faults":[{"at":"1s","fault":"flood"}]}`, `unknown fault "flood"`},
		{"fault on nobody", good + `,"faults":[{"at":"1s","fault":"crash","client":1004}]}`, "client is 1004, must be 1 to 3"},
		{"fault on a guest", good + `,"faults":[{"at":"1s","fault":"crash","client":1003}]}`, ""},
		{"fault in no lane", good + `,"faults":[{"at":"1s","fault":"crash","lane":"b"}]}`, `no lane "b"`},
		{"no verdict", good + `,"expect":{"belief":"maybe"}}`, `"maybe" is no verdict`},
		{"verdict of a lane", good + `,"expect":{"a/belief":"violated","fifo":"undecided"}}`, ""},
		{"verdict of no lane", good + `,"expect":{"b/belief":"violated"}}`, `no lane "b"`},
		{"verdict of an empty lane", good + `,"expect":{"/belief":"violated"}}`, `no lane ""`},
		{"verdict of no check", good + `,"expect":{"a/faith":"violated"}}`, `no check "faith"`},
		{"decisive instants", good + `,"decisive":["two-believe","stuck"]}`, ""},
		{"no instant", good + `,"decisive":["noon"]}`, `no instant "noon"`},
		{"an instant twice", good + `,"decisive":["stuck","stuck"]}`, `"stuck" is there twice`},
		{"many lanes", lanes(5), ""},
		{"too many lanes", lanes(6), "it has 6 lanes, must have 1 to 5"},
		{"turns", good + `,"turns":1000}`, ""},
		{"too many turns", good + `,"turns":1001}`, "turns is 1001, must be 0 to 1000"},
		{"negative turns", good + `,"turns":-1}`, "turns is -1"},
		{"account", strings.Replace(good, `"mutex"`, `"mutex","account":"guard"`, 1) + `}`, ""},
		{"unknown account", strings.Replace(good, `"mutex"`, `"mutex","account":"bank"`, 1) + `}`, `unknown account "bank"`},
		{"permits", strings.Replace(good, `"mutex"`, `"semaphore","permits":3`, 1) + `}`, ""},
		{"no permits", strings.Replace(good, `"mutex"`, `"semaphore"`, 1) + `}`, "permits is 0, must be 1 to 1000"},
		{"permits of a mutex", strings.Replace(good, `"mutex"`, `"mutex","permits":3`, 1) + `}`, "recipe mutex has no permits"},
		{"locks", strings.Replace(good, `"mutex"`, `"mutex","locks":["x","y"]`, 1) + `,"each":[{"client":1,"locks":["y"]}]}`, ""},
		{"one lock", strings.Replace(good, `"mutex"`, `"mutex","locks":["x"]`, 1) + `}`, "it has 1 locks, must have 2 to 3"},
		{"too many locks", strings.Replace(good, `"mutex"`, `"mutex","locks":["x","y","z","w"]`, 1) + `}`, "it has 4 locks"},
		{"a lock twice", strings.Replace(good, `"mutex"`, `"mutex","locks":["x","x"]`, 1) + `}`, `lock name "x"`},
		{"a lock with a slash", strings.Replace(good, `"mutex"`, `"mutex","locks":["x","y/z"]`, 1) + `}`, `lock name "y/z"`},
		{"locks without a queue", strings.Replace(good, `"mutex"`, `"flag","locks":["x","y"]`, 1) + `}`, "leave locks out"},
		{"a lock that the lane has not", strings.Replace(good, `"mutex"`, `"mutex","locks":["x","y"]`, 1) + `,"each":[{"client":1,"locks":["z"]}]}`, "each 1: locks are [z], must be some of lane a's"},
		{"threads", good + `,"each":[{"client":1,"threads":8}]}`, ""},
		{"too many threads", good + `,"each":[{"client":1,"threads":9}]}`, "each 1: threads is 9, must be 0 to 8"},
		{"plans of single clients", good + `,"each":[{"client":1,"arrive":"1s","hold":{"min":"1s","max":"2s"},"timeout":"2s","try":true}]}`, ""},
		{"plan of client 0", good + `,"each":[{"timeout":"2s"}]}`, "each 1: client is 0, must be 1 to 1000"},
		{"two plans of one client", good + `,"each":[{"client":1},{"client":1}]}`, "each 2: client 1 is there twice"},
		{"plan with a bad time", good + `,"each":[{"client":1,"timeout":"2h"}]}`, "each 1: timeout is 2h0m0s"},
		{"plan with a bad range", good + `,"each":[{"client":1,"hold":{"min":"2s","max":"1s"}}]}`, "each 1: hold.min is above"},
		{"account that cannot tell", strings.Replace(good, `"mutex"`, `"flag","account":"guard"`, 1) + `}`, "has nothing to compare"},
		{"fault drawn by the seed", good + `,"faults":[{"at":"1s","spread":"2s","fault":"crash","client":-1}]}`, ""},
		{"fault on client -2", good + `,"faults":[{"at":"1s","fault":"crash","client":-2}]}`, "client is -2"},
		{"negative spread", good + `,"faults":[{"at":"1s","spread":"-1s","fault":"crash"}]}`, "fault 1: spread is -1s"},
		{"fault with a length", good + `,"faults":[{"at":"1s","fault":"crash","for":"1s"}]}`, "crash takes no"},
		{"fault of the servers", good + `,"faults":[{"at":"1s","fault":"lose-quorum","for":"1s"}]}`, ""},
		{"fault of the servers on a client", good + `,"faults":[{"at":"1s","fault":"restart","client":-1}]}`, "leave out client"},
		{"script", good + `,"step":true,"script":[{"client":1,"until":"lock.acquired"},{"client":2,"dir":"out","deliver":"create"},{"client":2,"dir":"in","drop":"*"},{"client":1,"lane":"a","await":"lock.released"},{"client":3,"fault":"crash"},{"fault":"restart"}]}`, ""},
		{"step of nobody", good + `,"script":[{"until":"lock.acquired"}]}`, "step 1: client is 0, must be 1 to 3"},
		{"step of the fourth of three", good + `,"script":[{"client":4,"until":"lock.acquired"}]}`, "client is 4"},
		{"step in no lane", good + `,"script":[{"client":1,"lane":"b","until":"lock.acquired"}]}`, `no lane "b"`},
		{"step without an action", good + `,"script":[{"client":1}]}`, "it has 0 of deliver"},
		{"step with two actions", good + `,"script":[{"client":1,"until":"lock.acquired","fault":"crash"}]}`, "it has 2 of deliver"},
		{"step without a direction", good + `,"script":[{"client":1,"deliver":"create"}]}`, `dir is ""`},
		{"step with a direction too many", good + `,"script":[{"client":1,"dir":"in","until":"lock.acquired"}]}`, "dir goes with"},
		{"step of an unknown operation", good + `,"script":[{"client":1,"dir":"out","deliver":"make"}]}`, `unknown operation "make"`},
		{"step of a heartbeat", good + `,"script":[{"client":1,"dir":"out","drop":"ping"}]}`, "heartbeats"},
		{"step until an unknown kind", good + `,"script":[{"client":1,"until":"lock.made"}]}`, `unknown kind of event "lock.made"`},
		{"step with an unknown fault", good + `,"script":[{"client":1,"fault":"flood"}]}`, `unknown fault "flood"`},
		{"step with a length and no fault", good + `,"script":[{"client":1,"until":"lock.acquired","for":"1s"}]}`, "go with fault only"},
		{"step with an unknown field", good + `,"script":[{"client":1,"op2":"x"}]}`, `unknown field "op2"`},
		{"writers", good + `,"writers":1.5}`, "writers is 1.5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := scenario.Parse([]byte(test.text), run.Catalogue())
			switch {
			case test.want == "" && err != nil:
				t.Errorf("unexpected error %v", err)
			case test.want != "" && (!errors.Is(err, scenario.ErrInvalid) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// lanes is a scenario of n lanes.
func lanes(n int) string {
	var specs []string
	for i := range n {
		specs = append(specs, fmt.Sprintf(`{"name":"lane-%d","recipe":"mutex"}`, i))
	}
	return `{"name":"x","clients":1,"session":"2s","lanes":[` + strings.Join(specs, ",") + `]}`
}

// FuzzParseScenario: whatever is accepted is valid and survives a round trip.
func FuzzParseScenario(f *testing.F) {
	shipped, err := scenario.Shipped(run.Catalogue())
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
	for _, text := range []string{
		lanes(5),
		`{"name":"x","lanes":[{"name":"a","recipe":"rw","account":"token"}],"clients":3,"session":"2s","turns":2,"expect":{"a/belief":"violated"}}`,
		`{"name":"x","lanes":[{"name":"a","recipe":"mutex"}],"clients":3,"session":"2s","faults":[{"at":"1s","spread":"1s","fault":"crash","client":-1},{"at":5,"fault":"kill-leader","for":"2s"},{"at":5,"fault":"lose-reply","op":"create"},{"at":5,"fault":"slow","delay":"9ms","jitter":1}]}`,
		`{"name":"x","lanes":[{"name":"a","recipe":"mutex"}],"clients":3,"session":"2s","step":true,"script":[{"client":1,"until":"lock.acquired"},{"client":2,"lane":"a","dir":"out","deliver":"create"},{"client":2,"dir":"in","drop":"*"},{"client":1,"await":"lock.released"},{"client":3,"fault":"crash"},{"fault":"lose-quorum","for":"1s"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenario.Parse(text, run.Catalogue())
		if err != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenario.Parse(again, run.Catalogue()); err != nil {
			t.Errorf("accepted %s, then refused %s: %v", text, again, err)
		}
	})
}

func TestSet(t *testing.T) {
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shipped {
		if s.Title == "" || s.Summary == "" {
			t.Errorf("%s has the title %q and the summary %q", s.Name, s.Title, s.Summary)
		}
	}
	if s, err := shipped.Find("herd"); err != nil || s.Name != "herd" {
		t.Errorf("Find(herd) = %s, %v", s.Name, err)
	}
	if _, err := shipped.Find("nerd"); !errors.Is(err, scenario.ErrUnknown) || !strings.Contains(err.Error(), "read-write") {
		t.Errorf("Find(nerd) = %v, want the names there are", err)
	}
}
