package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

//go:generate go test -run TestServedSentences -update .

const servedSentences = "../../static/test/fixtures/served-sentences.json"

// TestServedSentences keeps the list of what the server says of itself, which the page
// translates, equal to what it says.
func TestServedSentences(t *testing.T) {
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(sentencesOf(run.Catalogue(), scenarios)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(servedSentences, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(servedSentences)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is stale: run go generate ./cmd/playground", servedSentences)
	}
}

// sentencesOf lists each sentence of a catalogue and of scenarios once.
func sentencesOf(catalogue scenario.Catalogue, scenarios scenario.Set) []string {
	var all []string
	for _, fault := range catalogue.Faults {
		all = append(all, fault.Title, fault.Sentence)
		for _, parameter := range fault.Parameters {
			all = append(all, parameter.Title)
		}
	}
	for _, moment := range catalogue.Moments {
		all = append(all, moment.Title, moment.Sentence)
	}
	for _, recipe := range catalogue.Recipes {
		all = append(all, recipe.Title, recipe.Sentence)
		for _, line := range recipe.Code {
			all = append(all, strings.TrimSpace(line.Text), line.Wrong)
		}
	}
	for _, check := range catalogue.Checks {
		all = append(all, check.Title, check.Sentence, check.Violated)
	}
	for _, shipped := range scenarios {
		all = append(all, shipped.Title, shipped.Summary)
		for _, lane := range shipped.Lanes {
			all = append(all, lane.Title)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(sentence string) bool { return sentence == "" })
}
