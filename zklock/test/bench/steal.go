package main

import "github.com/prometheus/procfs"

// readProcessorTime tells what all processors have spent their time on since the machine
// was started; all is zero where that cannot be told.
func readProcessorTime() procfs.CPUStat {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return procfs.CPUStat{}
	}
	stat, err := proc.Stat()
	if err != nil {
		return procfs.CPUStat{}
	}
	return stat.CPUTotal
}

// stolenBetween returns the share of the time between that the machine's host gave to
// others, 0 where it cannot be told.
func stolenBetween(before, after procfs.CPUStat) float64 {
	all, stolen := allOf(after)-allOf(before), after.Steal-before.Steal
	if all <= 0 || stolen < 0 {
		return 0
	}
	return min(1, stolen/all)
}

// allOf leaves guests out: they are in user and nice as well.
func allOf(c procfs.CPUStat) float64 {
	return c.User + c.Nice + c.System + c.Idle + c.Iowait + c.IRQ + c.SoftIRQ + c.Steal
}
