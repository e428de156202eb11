// Package challenge has locks for a learner to mend, one flaw at a time. Each [Challenge]
// begins with the solution of the one before it, which fails the trials of this one. Trials
// of playground/judge decide, on a real ZooKeeper.
//
// A challenge is three things: its entry in [All], the source that solves it in sources, and
// its words in a fence "challenge" of a lesson. Its tests judge the start, the solution, and
// wrong solutions from testdata/wrong, each of which fails in the property that its name says.
package challenge
