// Zkbench measures the locks of zklock beside go-zookeeper's own lock, and
// both beside floors: what the server and the client cost when nothing is left
// to do but to hand over.
//
//	go run ./zklock/zkbench [-n 1,2,8,32,128] [-hold 0,2ms] [-only chain,mutex]
//		[-rounds 5] [-warm 300ms] [-for 1s] [-dir path] [-json]
//
// -only names the recipes to measure, by default all. -warm is how long a cell
// runs before it is measured, and -for how long it then is. -dir is where the
// server keeps its data, by default in memory. -json prints every sample
// instead of tables.
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
//	round ─> hold ─> N ─> recipes, in an order that rotates ─> match ─> sample
//	samples ─> ratios within one round and N ─> medians over rounds ─> tables, goals
//
// Load on the machine changes from minute to minute by more than the recipes
// differ. So the recipes of one N are played right after each other, ratios are
// only taken between such neighbours, and only ratios are to be compared
// between two runs.
//
// Measuring begins after a warm-up in which each contender has had its turn,
// and ends while all still contend. Packets are those that the server counts;
// one that was on its way when they were read makes an odd hundredth.
//
// Every acquisition is checked: a flag that only one contender may own, and a
// counter that only the lock guards. The cells with a hold are the sharper ones,
// as a turn without one is over in no time. A violation, a contender that never had
// its turn, or any error ends the benchmark with exit code 1; a goal that was
// missed does not, as it may be the machine's fault. Bad usage is exit code 2.
package main
