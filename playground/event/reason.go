package event

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Reason says why something is so: a code, and what its sentence tells of. The page
// makes a sentence of it in its reader's language; [Reason.English] is for terminals and
// logs.
type Reason struct {
	Code string `json:"code"`
	Args Args   `json:"args,omitempty"`
}

// Args are the values in the sentence of a reason, by name. Each is an int64, a string, a
// []int64, a *Reason or a []*Reason.
type Args map[string]any

// A Code is one kind of reason. See [NewCode].
type Code struct {
	name   string
	forms  []string // of its English sentence: for one, and for any other number
	parts  [][]part // of the forms, for logs
	places []place  // of its arguments, in their order
}

// A place is where an argument stands in a sentence.
type place struct{ kind, name string }

// A part of a sentence is words and the place after them; the last part has none.
type part struct {
	words string
	place
}

func partsOf(form string) []part {
	var parts []part
	at := 0
	for _, found := range argument.FindAllStringIndex(form, -1) {
		parts = append(parts, part{form[at:found[0]], placeOf(argument.FindStringSubmatch(form[found[0]:found[1]]))})
		at = found[1]
	}
	return append(parts, part{words: form[at:]})
}

func placeOf(found []string) place { return place{kind: cmp.Or(found[1], found[2]), name: found[2]} }

// codes is written to only while variables of packages are initialized.
var codes = make(map[string]*Code)

var (
	argument = regexp.MustCompile(`\{(?:(\w+) )?(\w+)\}`)
	forLogs  = regexp.MustCompile(`\[[^]]*\]`)
)

// NewCode returns a code, to be kept in a variable of a package. Its name stays: recordings
// have it. In its English sentence {name} is an argument, a number or words, and
// {kind name} says what it is, where the page shows that in its own way; {kind} is short for
// {kind kind}. The kinds are:
//
//   - client and clients: numbers of clients
//   - znode: a path
//   - tenths: a number in tenths
//   - instant and span: on the clock of the log, and a length of time, in microseconds
//   - served: words that the server serves elsewhere, too, such as a title
//   - reason, list and parts: a reason, and several between commas or semicolons
//
// What stands in brackets is for logs alone. After | comes the form for any number but 1 of
// the first argument. The page has the sentence out of static/js/text/reasons-en.js.
func NewCode(name, english string) *Code {
	if codes[name] != nil {
		panic("two codes are called " + name)
	}
	c := &Code{name: name, forms: strings.Split(english, "|")}
	for _, form := range c.forms {
		c.parts = append(c.parts, partsOf(strings.NewReplacer("[", "", "]", "").Replace(form)))
	}
	last := c.parts[len(c.parts)-1]
	for _, p := range last[:len(last)-1] {
		c.places = append(c.places, p.place)
	}
	codes[name] = c
	return c
}

// Codes returns the English sentences of all codes as the page says them, by name.
func Codes() map[string]string {
	sentences := make(map[string]string)
	for name, c := range codes {
		sentences[name] = forLogs.ReplaceAllString(strings.Join(c.forms, "|"), "")
	}
	return sentences
}

// With returns a reason with these arguments, in the order of the sentence.
func (c *Code) With(values ...any) *Reason {
	r := &Reason{Code: c.name}
	if len(values) > 0 {
		r.Args = make(Args, len(values))
	}
	for i, p := range c.places[:min(len(c.places), len(values))] { // a test counts them
		r.Args[p.name] = plainValue(values[i])
	}
	return r
}

// plainValue is a value as Args have it.
func plainValue(value any) any {
	switch v := value.(type) {
	case *Reason, []*Reason, string:
		return v
	case time.Duration:
		return v.Microseconds()
	case []int:
		numbers := make([]int64, len(v))
		for i, n := range v {
			numbers[i] = int64(n)
		}
		return numbers
	}
	if v := reflect.ValueOf(value); v.CanInt() {
		return v.Int()
	}
	return fmt.Sprint(value)
}

var text = NewCode("text", "{text}")

// Text is a reason for which there is no code: words that are not translated.
func Text(words string) *Reason {
	if words == "" {
		return nil
	}
	return text.With(words)
}

var several = NewCode("several", "{parts reasons}")

// Several is all of these reasons together.
func Several(reasons ...*Reason) *Reason {
	if len(reasons) == 1 {
		return reasons[0]
	}
	return several.With(reasons)
}

// Because is the reason of an event. It is the event's sentence where that was recorded
// before there were codes, or with a code that this program does not have.
func (e *Event) Because() *Reason {
	if e.Reason != nil && codes[e.Reason.Code] != nil {
		return e.Reason
	}
	return Text(e.Why)
}

// Has says whether r, or a reason that it is made of, has that code.
func (r *Reason) Has(code string) bool {
	if r == nil || r.Code == code {
		return r != nil
	}
	for _, value := range r.Args {
		switch v := value.(type) {
		case *Reason:
			if v.Has(code) {
				return true
			}
		case []*Reason:
			for _, each := range v {
				if each.Has(code) {
					return true
				}
			}
		}
	}
	return false
}

// English is the reason as a sentence without a full stop; empty for nil.
func (r *Reason) English() string {
	if r == nil {
		return ""
	}
	c := codes[r.Code]
	if c == nil {
		return r.Code
	}
	parts := c.parts[0]
	if len(c.parts) > 1 && r.Args[c.places[0].name] != int64(1) {
		parts = c.parts[1]
	}
	var sentence strings.Builder
	for _, p := range parts {
		sentence.WriteString(p.words)
		if p.name != "" {
			sentence.WriteString(inEnglish(p.kind, r.Args[p.name]))
		}
	}
	return sentence.String()
}

// inEnglish is an argument in a sentence.
func inEnglish(kind string, value any) string {
	switch v := value.(type) {
	case *Reason:
		return v.English()
	case []*Reason:
		all := make([]string, len(v))
		for i, each := range v {
			all[i] = each.English()
		}
		if kind == "parts" {
			return strings.Join(all, "; ")
		}
		return strings.Join(all, ", ")
	case []int64:
		return clientNames(v)
	case int64:
		switch kind {
		case "tenths":
			return fmt.Sprintf("%.1f", float64(v)/10)
		case "client":
			return "client " + strconv.FormatInt(v, 10)
		case "instant":
			return fmt.Sprintf("%.3f s", float64(v)/1e6)
		case "span":
			return (time.Duration(v) * time.Microsecond).String()
		}
	}
	return fmt.Sprint(value)
}

// mostNamed is how many clients are named; more are counted.
const mostNamed = 4

// clientNames names clients: client 2; clients 2, 3 and 5; 7 clients.
func clientNames(clients []int64) string {
	if len(clients) > mostNamed {
		return fmt.Sprintf("%d clients", len(clients))
	}
	names := make([]string, len(clients))
	for i, client := range clients {
		names[i] = strconv.FormatInt(client, 10)
	}
	if len(names) < 2 {
		return "client " + strings.Join(names, "")
	}
	last := len(names) - 1
	return "clients " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// UnmarshalJSON reads each argument as what it is.
func (a *Args) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*a = make(Args, len(raw))
	for name, value := range raw {
		read, err := readArg(value)
		if err != nil {
			return fmt.Errorf("argument %s: %w", name, err)
		}
		(*a)[name] = read
	}
	return nil
}

func readArg(value json.RawMessage) (any, error) {
	var (
		words   string
		number  int64
		reason  *Reason
		numbers []int64
		reasons []*Reason
	)
	for _, arg := range []any{&words, &number, &numbers, &reason, &reasons} {
		if json.Unmarshal(value, arg) == nil {
			return reflect.ValueOf(arg).Elem().Interface(), nil
		}
	}
	return nil, fmt.Errorf("%s is no argument of a reason", value)
}
