package lessons_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// leastContrast is what WCAG AA asks of text of normal size.
const leastContrast = 4.5

// TestCodeCanBeRead checks each colour of each theme against the ground that
// the page gives to code in that theme, and against the ground of a lesson
// that is shown without the page's theme.
func TestCodeCanBeRead(t *testing.T) {
	light, dark, ok := strings.Cut(string(lessons.StyleSheet()), "@media")
	if !ok {
		t.Fatal("no dark theme in the style sheet")
	}
	colour := regexp.MustCompile(`[{ ]color: (#[0-9a-f]{6})`)
	for theme, css := range map[string]string{"light": light, "dark": dark} {
		colours := colour.FindAllStringSubmatch(css, -1)
		if len(colours) < 5 {
			t.Fatalf("%s: only %d colours", theme, len(colours))
		}
		for _, ground := range codeGrounds(t, theme == "dark") {
			for _, ink := range colours {
				if got := contrast(t, ink[1], ground); got < leastContrast {
					t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", theme, ink[1], ground, got, leastContrast)
				}
			}
		}
	}
}

// codeGrounds reads the grounds of code, dark or light, from the page's styles.
func codeGrounds(t *testing.T, dark bool) []string {
	t.Helper()
	declaration := regexp.MustCompile(`--code-background[:,]\s*(#[0-9a-f]{6})`)
	var grounds []string
	for _, file := range []string{"../static/css/theme.css", "../static/css/lesson.css"} {
		css, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declaration.FindAllStringSubmatch(string(css), -1) {
			if (luminance(t, found[1]) < 0.5) == dark {
				grounds = append(grounds, found[1])
			}
		}
	}
	if len(grounds) < 2 {
		t.Fatalf("found code grounds %q, want one in each file", grounds)
	}
	return grounds
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	brighter, darker := luminance(t, a), luminance(t, b)
	if brighter < darker {
		brighter, darker = darker, brighter
	}
	return (brighter + 0.05) / (darker + 0.05)
}

// luminance is WCAG's relative luminance of a colour such as #1f2328.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(colour[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		share := float64(rgb>>shift&0xff) / 255
		if share <= 0.04045 {
			return share / 12.92
		}
		return math.Pow((share+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}
