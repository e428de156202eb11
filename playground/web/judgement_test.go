package web_test

import (
	"net/http"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/judging"
)

// TestStreamTellsOfAJudgement: who looks at a room is told that its judgement has changed,
// and so is who comes later.
func TestStreamTellsOfAJudgement(t *testing.T) {
	s := open(t, func(u *setup) {
		u.judging = judging.Config{Command: &client.ProgramConfig{Command: []string{"false"}},
			Judge: func() judge.Config { return judge.Config{LogDir: t.TempDir()} }} // no servers of its own
	})
	before := s.watch("from=1")
	before.until("the room is told of", func() bool { return len(before.frames) > 0 })
	s.want(http.StatusCreated, http.MethodPost, "/api/rooms/main/judgement", `{"trials": ["restart"]}`)
	ended := func() bool {
		var answer struct{ Judgement judging.Judgement }
		s.decode(s.ask(http.MethodGet, "/api/rooms/main/judgement", ""), http.StatusOK, &answer)
		return answer.Judgement.State == judging.Done
	}
	told := int64(0)
	before.until("the judgement is told of to its end", func() bool {
		news := before.judged > told
		told = before.judged
		return news && ended()
	})
	after := s.watch("from=1")
	after.until("the one who comes later knows of it", func() bool { return after.judged >= told })
}
