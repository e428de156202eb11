package judge

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// What JUnit's XML has, as CI systems read it.
type (
	suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Seconds string   `xml:"time,attr"`
		Failure *message `xml:"failure,omitempty"`
		Skipped *message `xml:"skipped,omitempty"`
	}
	message struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes the result as JUnit's XML: a test case for each property of each trial.
// What is undecided is skipped.
func (r Result) WriteJUnit(w io.Writer) error {
	s := suite{Name: strings.Join(r.Command, " ")}
	for _, o := range r.Outcomes {
		if o.Skipped != "" {
			s.add(testCase{Class: o.Trial.Name, Name: "trial", Skipped: &message{o.Skipped}})
		}
		for _, f := range o.Findings {
			c := testCase{Class: o.Trial.Name, Name: string(f.Property), Seconds: fmt.Sprintf("%.1f", float64(o.Millis)/1000)}
			switch f.Verdict {
			case event.Violated:
				c.Failure = &message{f.Why}
			case event.Undecided:
				c.Skipped = &message{f.Why}
			}
			s.add(c)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(s); err != nil {
		return err
	}
	return encoder.Close()
}

func (s *suite) add(c testCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
}
