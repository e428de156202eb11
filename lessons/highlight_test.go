package lessons_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// leastContrast is what WCAG AA asks of text of normal size.
const leastContrast = 4.5

// TestCodeCanBeRead checks each colour of each theme against the ground that
// the page gives to code in that theme.
func TestCodeCanBeRead(t *testing.T) {
	colours := regexp.MustCompile(`[{ ]color: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindAllSubmatch(lessons.StyleSheet(), -1)
	if len(colours) < 5 {
		t.Fatalf("only %d colours", len(colours))
	}
	light, dark := codeGround(t)
	for _, inks := range colours {
		for theme, ground := range []string{light, dark} {
			if ink := string(inks[theme+1]); contrast(t, ink, ground) < leastContrast {
				t.Errorf("%s on %s has contrast %.2f, want %.1f", ink, ground, contrast(t, ink, ground), leastContrast)
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
