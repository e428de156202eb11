package chaos_test

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/chaos"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// kills is how many leaders are killed. Only when it is set is the time without one
// judged: it may be long on a machine that does something else, too.
var kills = flag.Int("leaders", 0, "how many leaders TestLeaders kills; else 6, and is not strict about time")

// Leaders are killed, and at no time are there two whose token is good.
func TestLeaders(t *testing.T) {
	const tick = 100 * time.Millisecond // a managed server's
	server := zktest.StartOwn(t, zkserver.Config{})
	times := 6
	if *kills > 0 {
		times = *kills
	}
	all, err := chaos.KillLeaders(t.Context(), []string{server.Address()}, server.Root(t), times, nil)
	if err != nil {
		t.Error(err)
	}
	longest, written := map[chaos.FaultKind]time.Duration{}, 0
	for i, s := range all {
		judgeSuccession(t, s)
		if s.Next {
			written++
		}
		longest[s.Fault] = max(longest[s.Fault], s.Leaderless-s.Timeout)
		if *kills > 0 && s.Leaderless > s.Timeout+2*tick {
			t.Errorf("kill %d, %s: no leader for %v, with a session of %v", i, s.Fault, s.Leaderless, s.Timeout)
		}
	}
	if written == 0 {
		t.Error("no leader wrote the register")
	}
	t.Logf("%d leaders, of whom %d wrote the register; longest time without one, less the session's timeout: %v", len(all), written, longest)
}

// A candidate gets no reply to its create, as the quorum is lost, and comes back with the
// quorum, as the leader does (CURATOR-696).
func TestLeaderAfterTheQuorumIsBack(t *testing.T) {
	e := zktest.StartEnsemble(t, 100*time.Millisecond)
	all, err := chaos.KillLeaders(t.Context(), e.Addresses(), "/", 1, func() error {
		_, _, err := e.Inject(context.WithoutCancel(t.Context()), "lose-quorum", 3*time.Second)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		judgeSuccession(t, s)
		t.Logf("%+v", s)
	}
}

func judgeSuccession(t *testing.T, s chaos.Succession) {
	if s.Both && s.Fault != chaos.Expire {
		t.Errorf("%s: the old leader still believed when the next was elected", s.Fault)
	}
	if s.Wrote {
		t.Errorf("%s: the old leader wrote the register after the next one", s.Fault)
	}
}
