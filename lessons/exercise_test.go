package lessons_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/lessons"
)

const (
	task      = "```do\n" + `{"task": "Make it.", "how": ["create /a", "stat /a"], "go": ["return nil"]}` + "\n```\n"
	goalCheck = "```check\n" + `{
"name": "made", "goal": "It is there.", "scenario": "herd",
"steps": [
  {"event": "created", "path": "/a", "is": "made", "missing": "Make it."}
],
"mistakes": [
  {"event": "not created", "error": "NodeExists", "why": "It was there."}
],
"tooEarly": "Nothing.", "wrong": ["create /b"]
}` + "\n```\n"
	exercise = "# T\n\n" + card + "\n" + task + "\n" + goalCheck
)

func TestLoadReadsTasksAndChecks(t *testing.T) {
	lesson, _ := load(t, "en/01-a.md", exercise+"\n"+task+"\n"+strings.Replace(goalCheck, `"made"`, `"made-again"`, 1)).Get("en", "a")
	if len(lesson.Tasks) != 2 || len(lesson.Checks) != 2 {
		t.Fatalf("%d tasks, %d checks", len(lesson.Tasks), len(lesson.Checks))
	}
	for _, check := range lesson.Checks {
		if diff := cmp.Diff([]lessons.Act{{Line: "create /a"}, {Line: "stat /a"}}, check.Solution); diff != "" {
			t.Errorf("%s: its solution are the tasks before it alone: %s", check.Key(), diff)
		}
	}
	if got := lesson.Checks[1].Key(); got != "a/made-again" {
		t.Errorf("key %q", got)
	}
	checkSafe(t, lesson.HTML)
	if !strings.Contains(string(lesson.HTML), "<ol class=\"goal-steps\">\n<li><span class=\"goal-step\">made</span></li>\n</ol>") {
		t.Errorf("no steps in %s", lesson.HTML)
	}
	if strings.Contains(string(lesson.HTML), "create /b") {
		t.Error("the page has the wrong attempt")
	}
}

// TestLoadSaysWhatIsWrongWithAnExercise: where, what, and what would be right.
func TestLoadSaysWhatIsWrongWithAnExercise(t *testing.T) {
	// The first line of the task is 8, that of the check 12.
	for name, test := range map[string]struct {
		old, new string
		kind     error
		line     int
		says     string
	}{
		"unknown field of a task":     {`"task":`, `"tsk":`, lessons.ErrTask, 8, `unknown field "tsk"; a do has task, how, go, shell`},
		"no commands":                 {`["create /a", "stat /a"]`, `[]`, lessons.ErrTask, 8, "how must be"},
		"no Go":                       {`["return nil"]`, `[]`, lessons.ErrTask, 8, "go must be"},
		"an empty line":               {`"stat /a"`, `" "`, lessons.ErrTask, 8, "a line to type is empty"},
		"an act of another sort":      {`"stat /a"`, `{"braek": {"fault": "crash"}}`, lessons.ErrTask, 8, `unknown field "braek"; an act is a line`},
		"an act that is nothing":      {`"stat /a"`, `{"says": "Nothing."}`, lessons.ErrTask, 8, "has break or wait"},
		"a break without words":       {`"stat /a"`, `{"break": {"fault": "crash"}}`, lessons.ErrTask, 8, "a break needs says"},
		"a break of two":              {`"stat /a"`, `{"break": {"you": true, "client": 2, "fault": "crash"}, "says": "P."}`, lessons.ErrTask, 8, "they are yours"},
		"a wait for nothing known":    {`"stat /a"`, `{"wait": {"event": "acquried"}}`, lessons.ErrTask, 8, `unknown event "acquried"`},
		"unknown field of a check":    {`"tooEarly":`, `"early":`, lessons.ErrCheck, 20, "a check has name, goal, scenario"},
		"unknown field of a step":     {`"path": "/a"`, `"pth": "/a"`, lessons.ErrCheck, 15, "a step has event, by, path"},
		"unknown event":               {`"created"`, `"craeted"`, lessons.ErrCheck, 15, `unknown event "craeted", have "created"`},
		"a field of other events":     {`"path": "/a"`, `"fault": "crash"`, lessons.ErrCheck, 15, `"created" has no field "fault", have "by"`},
		"unknown mode":                {`"path": "/a"`, `"mode": "fleeting"`, lessons.ErrCheck, 15, `unknown mode "fleeting", have "persistent"`},
		"unknown by":                  {`"path": "/a"`, `"by": "me"`, lessons.ErrCheck, 15, `unknown by "me", have "you"`},
		"a path that is none":         {`"path": "/a"`, `"path": "a"`, lessons.ErrCheck, 15, `must begin with /`},
		"a step without its words":    {`"is": "made", `, ``, lessons.ErrCheck, 15, `step 1 needs "is"`},
		"a mistake without its why":   {`, "why": "It was there."`, ``, lessons.ErrCheck, 18, `mistake 1 needs "why"`},
		"a name that no step has":     {`"error": "NodeExists"`, `"znode": "mine"`, lessons.ErrCheck, 18, `no step names "mine"`},
		"no scenario":                 {`there.", "scenario": "herd"`, `there."`, lessons.ErrCheck, 12, "scenario is missing"},
		"a scenario that it runs not": {`there.", "scenario": "herd"`, `there.", "scenario": "hurd"`, lessons.ErrUnknownScenario, 12, `"hurd" in a check, the lesson runs ["herd"]: add a scenario block`},
		"a name with a space":         {`"name": "made"`, `"name": "made it"`, lessons.ErrCheck, 12, "two-words"},
		"no wrong attempt":            {`["create /b"]`, `[]`, lessons.ErrCheck, 12, "must not pass"},
		"a check twice":               {goalCheck, goalCheck + "\n" + task + "\n" + goalCheck, lessons.ErrCheck, 29, `another check is named "made"`},
		"no task before":              {task, "", lessons.ErrCheck, 9, "no do stands before it"},
		"no check after":              {goalCheck, "", lessons.ErrTask, 0, "no check stands after"},
	} {
		t.Run(name, func(t *testing.T) {
			source := strings.Replace(exercise, test.old, test.new, 1)
			if source == exercise {
				t.Fatalf("nothing is wrong: %q is not there", test.old)
			}
			_, err := lessons.Load(files("en/01-a.md", source))
			at := fmt.Sprintf("en/01-a.md:%d: ", test.line)
			if test.line == 0 {
				at = "en/01-a.md: "
			}
			if !errors.Is(err, test.kind) || !strings.HasPrefix(err.Error(), at) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %v at %q with %q", err, test.kind, at, test.says)
			}
		})
	}
}

// TestCardsBelowTheTitle have headings that skip no level.
func TestCardsBelowTheTitle(t *testing.T) {
	lesson, _ := load(t, "en/01-a.md", exercise+"\n## Below\n\n"+card).Get("en", "a")
	text := string(lesson.HTML)
	if top, all := strings.Count(text, `<h3 aria-level="2">`), strings.Count(text, "<h3"); top != 3 || all != 4 {
		t.Errorf("%d of %d headings of cards are at level 2, want 3 of 4:\n%s", top, all, text)
	}
}
