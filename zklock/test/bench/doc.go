// Zkbench measures the locks of zklock beside go-zookeeper's own lock, and
// both beside floors: what the server and the client cost when nothing is left
// to do but to hand over.
//
//	go run ./zklock/test/bench [-n 1,2,8,32,128] [-hold 0,2ms] [-workload turns,random]
//		[-only chain,mutex] [-rounds 5] [-warm 300ms] [-for 1s] [-slice 200ms] [-dir path] [-json]
//
// -only names the recipes to measure, by default all but the variants. -warm is how long a cell
// runs before it is measured, -for how long it then is, and -slice how long of
// that at once. -dir is where the server keeps its data, by default in memory.
// -json prints every sample instead of tables.
//
// It boots a ZooKeeper of its own, in memory where the machine allows it, and
// runs cells on it. A cell is one recipe, N contenders, each with a session
// and a connection of its own, the time for which a holder holds, and a workload.
// In the workload "turns" each contender is back at once after its turn, so that all
// stand in the same order in every round. In "random" it thinks for the time of 0
// to N hand-overs, and after one turn in eight stays away for N more, so that the
// order is another in every round. What a contender does is seeded, and the same for
// all recipes. The recipes are
//
//	chain         a floor: nodes and watches are laid ahead; each contender deletes
//	              its node when it hears that the one before is gone. One delete
//	              and one notification: nothing that goes through the server can
//	              hand over faster.
//	ring          a floor: a fixed order, nodes made as they are needed: create,
//	              watch the one before, delete. No listing, as the order is known.
//	mutex         zklock.NewMutex
//	go-zookeeper  zk.NewLock
//	herd          teach.NewHerdMutex
//
// and, only when they are named, zklock.NewMutex without one of the things that it
// does beyond the textbook: mutex-look-ahead, mutex-one-transaction, mutex-direct,
// mutex-own-watch. The floors have a fixed order, so the random workload leaves them
// out.
//
// How a figure comes about:
//
//	round ─> workload ─> hold ─> N ─> comparison: a trial for each recipe, all opened and warmed up
//	comparison ─> passes ─> slices, in an order that rotates ─> a sample of each trial
//	samples ─> ratios within one comparison ─> medians over rounds ─> tables, goals
//
// Load on the machine changes, within seconds too, by more than the recipes
// differ. So the trials of a comparison take turns in slices, and what slows the
// machine down for seconds slows all of them down alike. Ratios are only taken
// within a comparison, and only ratios are to be compared between two runs. Where the
// machine is a virtual one that shares its processors, the report says how much of
// their time its host took: ratios from a run with much of that mean less.
//
// One trial moves at a time. In the others the holder stands at a gate, between
// its acquisition and its hold, with everybody else in the queue behind it. A
// slice begins and ends at such a stand, after a warm-up in which each contender
// has had its turn, and ends while all still contend.
//
// To the contenders a stand is one long hold. What a lock does after it is what it
// does after long ones. So a slice begins with a cycle, in which each contender has a turn, that is
// not measured; it is cut short where it is longer than the slice. What is measured
// is from the acquisition that ends the cycle to the one that stands: acquisitions,
// hand-overs and time are of the same whole turns. Packets are counted from stand
// to stand, cycles included.
//
// Packets are those that the server counts. They are read when all stands and
// nothing more passes. All sessions of a comparison are open at once, and those that
// stand send pings, but each only every few minutes: mostly not within a comparison.
//
// Every acquisition is checked: a flag that only one contender may own, and a
// counter that only the lock guards. The cells with a hold are the sharper ones,
// as a turn without one is over in no time. A violation, a contender that never had
// its turn, or any error ends the benchmark with exit code 1; a goal that was
// missed does not, as it may be the machine's fault. Bad usage is exit code 2.
//
// # What each mechanism is worth
//
// A mechanism stays in zklock.Mutex when it gains 10 % with contenders that come in
// any order. Measured on 2026-11-22 with the mutex as it was then, with and without
// each: acquisitions per second with, over those without, medians of 5 rounds of 2 s
// (random, no hold), else 3 of 2 s (random, 2 ms) and 3 of 1 s (turns). A round
// varies by 3 to 5 %. ZooKeeper 3.8.0 on tmpfs, one of two processors for the
// contenders.
//
//	                      random, no hold      random, 2 ms         turns, no hold       turns, 2 ms
//	N                     1    8    32   128   1    8    32   128   1    8    32   128   1    8    32   128
//	look-ahead           .99 1.33 1.41 1.29  1.01 1.05 1.05 1.06  1.04 1.34 1.41 1.20  1.01 1.04 1.05 1.03
//	one transaction     1.11  .99  .98  .96  1.04  .99 1.00 1.00  1.44 1.04 1.05  .91  1.07  .99 1.01 1.00
//	direct requests     1.03 1.12 1.14 1.12  1.01 1.01  .99 1.01  1.16 1.19 1.17 1.14  1.02  .98 1.00  .97
//
//	removed, each measured in the mutex that had all of them:
//	guess who is ahead  1.01  .98 1.01 1.04  1.00  .99 1.00 1.01   .96 1.21 1.28 1.24   .99 1.11 1.00 1.02
//	next znode's name   1.00  .99 1.00 1.06  1.00 1.00 1.00 1.00   .97 1.05 1.16 1.06   .99 1.06 1.00 1.02
//	next number         1.01  .99 1.06 1.02  1.00  .99  .99  .99  1.02 1.13  .97  .86  1.03 1.01  .99 1.00
//	mark in directory   1.02  .98 1.01 1.00  1.00 1.00 1.00 1.00  1.02 1.06  .97  .97  1.02 1.01 1.00 1.00
//	late look-ahead     1.01  .99 1.02 1.00   .99  .98  .98  .99   .98 1.02  .98 1.03  1.02 1.02  .95  .95
//	all five            1.02  .98 1.03 1.02  1.00  .98 1.00 1.00   .99 1.17 1.21 1.39   .99 1.09 1.01 1.04
//
//	removed, each measured in the mutex without the five above:
//	contexts on demand  1.00 1.02 1.00  .99  1.00 1.00  .99 1.01  1.05 1.01 1.06 1.00  1.02 1.00 1.00  .99
//	one timer a session 1.01 1.03  .99 1.02  1.01 1.01 1.00 1.00  1.03 1.03 1.04  .95  1.02  .99 1.02  .98
//	rare deadlines      1.01 1.01  .98  .98  1.00  .99 1.00 1.00  1.07 1.01 1.06 1.04  1.01 1.00 1.01  .99
//
// The watch on the own znode, which notices that somebody deletes it, costs nothing
// that can be measured. What was predicted from the turns before (the first four
// that were removed) gained up to 39 % where all come in turn, which real contenders
// do not, and nothing where they come in any order. Commit 8b6ccb6 has all of them,
// and a recipe mutex-NAME+NAME without what is named.
package main
