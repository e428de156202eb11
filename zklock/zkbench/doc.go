// Zkbench measures the locks of zklock beside go-zookeeper's own lock, and
// both beside floors: what the server and the client cost when nothing is left
// to do but to hand over.
//
//	go run ./zklock/zkbench [-n 1,2,8,32,128] [-hold 0,2ms] [-only chain,mutex]
//		[-rounds 5] [-warm 300ms] [-for 1s] [-slice 200ms] [-dir path] [-json]
//
// -only names the recipes to measure, by default all. -warm is how long a cell
// runs before it is measured, -for how long it then is, and -slice how long of
// that at once. -dir is where the server keeps its data, by default in memory.
// -json prints every sample instead of tables.
//
// It boots a ZooKeeper of its own, in memory where the machine allows it, and
// plays cells on it. A cell is one recipe, N contenders, each with a session
// and a connection of its own, and the time for which a holder holds. The
// recipes are
//
//	chain         a floor: nodes and watches are laid ahead; each contender deletes
//	              its node when it hears that the one before is gone. One delete
//	              and one notification: nothing that goes through the server can
//	              hand over faster.
//	ring          a floor: a fixed order, nodes made as they are needed: create,
//	              watch the one before, delete. No listing, as the order is known.
//	mutex         zklock.NewMutex
//	go-zookeeper  zk.NewLock
//	herd          zklock.NewHerdMutex
//
// How a figure comes about:
//
//	round ─> hold ─> N ─> heat: a match for each recipe, all opened and warmed up
//	heat ─> passes ─> slices, in an order that rotates ─> a sample of each match
//	samples ─> ratios within one heat ─> medians over rounds ─> tables, goals
//
// Load on the machine changes, within seconds too, by more than the recipes
// differ. So the matches of a heat take turns in slices, and what slows the
// machine down for seconds slows all of them down alike. Ratios are only taken
// within a heat, and only ratios are to be compared between two runs. Where the
// machine is a virtual one that shares its processors, the report says how much of
// their time its host took: ratios from a run with much of that mean less.
//
// One match moves at a time. In the others the holder stands at a gate, between
// its acquisition and its hold, with everybody else in the queue behind it. A
// slice begins and ends at such a stand, after a warm-up in which each contender
// has had its turn, and ends while all still contend.
//
// To the contenders a stand is one long hold. A lock that goes by how long it
// held or waited, as zklock.Mutex does, does after it what it does after long
// ones. So a slice begins with a lap, in which each contender has a turn, that is
// not measured; it is cut short where it is longer than the slice. What is measured
// is from the acquisition that ends the lap to the one that stands: acquisitions,
// hand-overs and time are of the same whole turns. Packets are counted from stand
// to stand, laps included.
//
// Packets are those that the server counts. They are read when all stands and
// nothing more passes. All sessions of a heat are open at once, and those that
// stand send pings, but each only every few minutes: mostly not within a heat.
//
// Every acquisition is checked: a flag that only one contender may own, and a
// counter that only the lock guards. The cells with a hold are the sharper ones,
// as a turn without one is over in no time. A violation, a contender that never had
// its turn, or any error ends the benchmark with exit code 1; a goal that was
// missed does not, as it may be the machine's fault. Bad usage is exit code 2.
package main
