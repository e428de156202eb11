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
// the page gives to code in that theme.
func TestCodeCanBeRead(t *testing.T) {
	light, dark, ok := strings.Cut(string(lessons.StyleSheet()), "@media")
	if !ok {
		t.Fatal("no dark theme in the style sheet")
	}
	colour := regexp.MustCompile(`[{ ]color: (#[0-9a-f]{6})`)
	lightGround, darkGround := codeGround(t)
	for _, theme := range []struct{ name, css, ground string }{{"light", light, lightGround}, {"dark", dark, darkGround}} {
		colours := colour.FindAllStringSubmatch(theme.css, -1)
		if len(colours) < 5 {
			t.Fatalf("%s: only %d colours", theme.name, len(colours))
		}
		for _, ink := range colours {
			if got := contrast(t, ink[1], theme.ground); got < leastContrast {
				t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", theme.name, ink[1], theme.ground, got, leastContrast)
			}
		}
	}
}

// codeGround reads the ground of code, light and dark, from the page's styles.
func codeGround(t *testing.T) (light, dark string) {
	t.Helper()
	css, err := os.ReadFile("../static/css/theme.css")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`--code-background: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindSubmatch(css)
	if found == nil {
		t.Fatal("the page's styles give no ground to code")
	}
	return string(found[1]), string(found[2])
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
