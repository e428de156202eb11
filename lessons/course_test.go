package lessons_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/lessons"
)

const course = `{"parts": [
  {"title": {"en": "First", "de": "Erstens"}, "lessons": [
    {"slug": "a", "minutes": 5, "needs": []},
    {"slug": "b", "minutes": 10, "needs": ["a"]}
  ]}
]}`

func loadCourse(text string) (*lessons.Library, error) {
	return lessons.Load(files("course.json", text, "en/01-a.md", "# A\n"+card, "en/02-b.md", "# B\n"+card, "de/02-b.md", "# B\n"+card))
}

func TestCourse(t *testing.T) {
	library, err := loadCourse(course)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lessons.Place{Slug: "b", Minutes: 10, Needs: []string{"a"}}, library.Place("b")); diff != "" {
		t.Error(diff)
	}
	if got := library.Place("c"); got.Slug != "c" || got.Minutes != 0 {
		t.Errorf("a lesson that is not there has the place %+v", got)
	}
	part := library.Course()[0]
	for locale, want := range map[string]string{"en": "First", "de": "Erstens", "fr": "First"} {
		if got := part.TitleIn(locale); got != want {
			t.Errorf("in %s it is called %q, want %q", locale, got, want)
		}
	}
}

func TestLoadSaysWhatIsWrongWithACourse(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"unknown field":           {`"minutes": 10`, `"minuts": 10`, `course.json:4: bad course: json: unknown field "minuts"`},
		"no JSON":                 {`{"slug": "b"`, `"slug": "b"`, "course.json:4: "},
		"no English title":        {`"en": "First", `, "", "has no title"},
		"no minutes":              {`"minutes": 10, `, "", "b: minutes must be"},
		"a need that comes later": {`"needs": []`, `"needs": ["b"]`, `a needs "b"`},
		"a lesson too many":       {`"slug": "a"`, `"slug": "c", "minutes": 1, "needs": []}, {"slug": "a"`, `it has ["c" "a" "b"], the files are ["a" "b"]`},
		"another order":           {`"slug": "a"`, `"slug": "x"`, "the files are"},
	} {
		text := strings.Replace(course, test.old, test.new, 1)
		if text == course {
			t.Fatalf("%s: nothing is wrong", name)
		}
		if name == "another order" {
			text = strings.Replace(text, `["a"]`, `["x"]`, 1)
		}
		_, err := loadCourse(text)
		if !errors.Is(err, lessons.ErrCourse) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
