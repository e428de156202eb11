package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// writeReport prints a table for each hold, and then the goals.
func writeReport(to io.Writer, s settings, server string, all samples) error {
	w := bufio.NewWriter(to) // keeps the first error until Flush
	fmt.Fprintln(w, server)
	fmt.Fprintf(w, "medians of %d rounds of %v in slices of %v; a ratio is the median of those within a round;\n"+
		"hand-overs p50 and p99 in microseconds, packets per acquisition, min-max acquisitions of one contender\n", s.rounds, s.length, s.slice)
	if line := all.disturbance(); line != "" {
		fmt.Fprintln(w, line)
	}
	for _, work := range s.workloads {
		for _, hold := range s.holds {
			if err := writeTable(w, s, all, work, hold); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(w, "\ngoals of zklock.Mutex")
	if err := writeGoals(w, s, all); err != nil {
		return err
	}
	return w.Flush()
}

// disturbance says how much of the machine was somebody else's; empty for nothing.
func (all samples) disturbance() string {
	worst := slices.MaxFunc(all, func(a, b sample) int { return cmp.Compare(a.Stolen, b.Stolen) })
	if worst.Stolen == 0 {
		return ""
	}
	usual, _ := all.median(stolen)
	return fmt.Sprintf("the machine's host took %.1f %% of the processors' time, in the median comparison, and %.1f %% at most", 100*usual, 100*worst.Stolen)
}

// header names the columns of rows.
var header = []string{
	"N", "recipe", "acq/s", "/ring", "/chain", "/go-zk", "p50", "p99", "p50/chain",
	"requests", "notifications", "min-max", "",
}

// writeTable prints what was measured with one workload and hold, if anything was.
func writeTable(w io.Writer, s settings, all samples, work workload, hold time.Duration) error {
	var rows [][]string
	for _, n := range slices.Sorted(slices.Values(s.contenders)) {
		for _, r := range s.recipes {
			if row := all.row(r.name, condition{work, n, hold}); row != nil {
				rows = append(rows, row)
			}
		}
	}
	if rows == nil {
		return nil
	}
	fmt.Fprintf(w, "\n%s, hold %v\n", work, hold)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range slices.Concat([][]string{header}, rows) {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// row describes one recipe under one condition; nil if it was not measured.
func (all samples) row(recipe string, under condition) []string {
	selected := all.of(recipe, under)
	if len(selected) == 0 {
		return nil
	}
	against := func(f figure, to string) string { return number(2)(all.ratio(f, recipe, to, under)) }
	shares := selected.leastFair()
	return []string{
		fmt.Sprint(under.Contenders), recipe, number(0)(selected.median(perSecond)),
		against(perSecond, ringName), against(perSecond, chainName), against(perSecond, goZooKeeper),
		number(0)(selected.median(microseconds(p50))), number(0)(selected.median(microseconds(p99))),
		against(p50, chainName),
		number(2)(selected.median(requests)), number(2)(selected.median(notifications)),
		fmt.Sprintf("%d-%d", shares.Least, shares.Most), "",
	}
}

func microseconds(f figure) figure {
	return func(s sample) float64 { return f(s) / float64(time.Microsecond) }
}

// number formats what may be missing.
func number(decimals int) func(value float64, ok bool) string {
	return func(value float64, ok bool) string {
		if !ok {
			return "-"
		}
		return fmt.Sprintf("%.*f", decimals, value)
	}
}

func writeGoals(w io.Writer, s settings, all samples) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range goals(s.holds) {
		value, outcome := g.outcome(all)
		bound := "at most"
		if g.atLeast {
			bound = "at least"
		}
		fmt.Fprintf(table, "%s\t%s\t%s %.2f\t%s\n", g.what, number(2)(value, outcome != notMeasured), bound, g.limit, outcome)
	}
	return table.Flush()
}

// writeJSON prints every sample; durations are in nanoseconds.
func writeJSON(w io.Writer, server string, all samples) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Server  string  `json:"server"`
		Samples samples `json:"samples"`
	}{server, all})
}
