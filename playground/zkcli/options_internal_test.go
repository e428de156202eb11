package zkcli

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	some := options{list: append(flags("s", "w"), value("v"), value("add"))}
	for _, test := range []struct {
		line   string
		values map[string]string
		args   string
		err    string
	}{
		{"set -s -v 3 /a b", map[string]string{"s": "", "v": "3"}, "set /a b", ""},
		{"set /a b -v 3 -s", map[string]string{"s": "", "v": "3"}, "set /a b", ""},
		{"set -sv3 /a", map[string]string{"s": "", "v": "3"}, "set /a", ""},
		{"set -v=3 /a", map[string]string{"v": "3"}, "set /a", ""},
		{"set -v= /a", map[string]string{"v": ""}, "set /a", ""},
		{"set -v -1 /a", map[string]string{"v": "-1"}, "set /a", ""},
		{"set -v -1d /a", map[string]string{"v": "-1d"}, "set /a", ""},
		{"set -v --x /a", map[string]string{"v": "--x"}, "set /a", ""},
		{"set -v 1 -v 2 /a", map[string]string{"v": "1"}, "set /a", ""},
		{`set -v "3" /a`, map[string]string{"v": "3"}, "set /a", ""},
		{`set -v"3" /a`, map[string]string{"v": `"3"`}, "set /a", ""},
		{"set -add 1 /a", map[string]string{"add": "1"}, "set /a", ""},
		{"set -- -s /a", map[string]string{}, "set -s /a", ""},
		{"set - /a", map[string]string{}, "set - /a", ""},
		{"set -v", nil, "", "MissingArgumentException: Missing argument for option: v"},
		{"set -v -s", nil, "", "MissingArgumentException: Missing argument for option: v"},
		{"set -v -- 3", nil, "", "MissingArgumentException: Missing argument for option: v"},
		{"set -x", nil, "", "UnrecognizedOptionException: Unrecognized option: -x"},
		{"set -sx", nil, "", "UnrecognizedOptionException: Unrecognized option: -sx"},
		{"set --s", nil, "", "UnrecognizedOptionException: Unrecognized option: --s"},
		{"set -s=1", nil, "", "UnrecognizedOptionException: Unrecognized option: -s=1"},
		{"set -add=1", nil, "", "UnrecognizedOptionException: Unrecognized option: -add=1"},
	} {
		p, err := some.parse(strings.Fields(test.line))
		switch {
		case test.err != "":
			if err == nil || err.Error() != "org.apache.commons.cli."+test.err {
				t.Errorf("%s: %v, want %s", test.line, err, test.err)
			}
		case err != nil:
			t.Errorf("%s: %v", test.line, err)
		case !maps.Equal(p.values, test.values) || strings.Join(p.args, " ") != test.args:
			t.Errorf("%s: %q %q, want %q %q", test.line, p.values, p.args, test.values, test.args)
		}
	}
}

// FuzzOptions has every command take any line apart: it must answer, and lose no word
// that follows a double dash.
func FuzzOptions(f *testing.F) {
	for _, line := range []string{"-sv3 /a", "-v -1 x", "-n 3 -b 4 /a", "-- -s", `-v="1" /`, "-file x -add", "-é", "-"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := Tokens(line)
		for _, k := range commands() {
			args := append([]string{k.name}, words...)
			p, err := k.options.parse(args)
			if err == nil && (len(p.args) == 0 || p.args[0] != k.name) {
				t.Fatalf("%q: the command is not in %q", args, p.args)
			}
			plain, err := options{}.parse(append([]string{k.name, "--"}, words...))
			if err != nil || !slices.Equal(plain.args[1:], words) {
				t.Fatalf("%q after a double dash: %q, %v", words, plain.args, err)
			}
		}
	})
}
