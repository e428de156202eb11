// Package interop tests that clients of other lock libraries may stand in the
// same queue as those of zklock: Apache Curator, which is Java, and the Lock of
// go-zookeeper. It has no code to import.
//
// Contenders of all libraries, each with a session of its own, take one lock in
// turn for a while. No clock is compared between processes. Instead each holder
// tells a witness in the test's process when it enters, and by which znode, and
// when it leaves, and waits for the answer before it goes on; so two holders at
// once are two visitors at once. The numbers of the znodes in the order of
// entry show whether the queue is first come, first served.
//
//	goroutine of a Go client  ── call ──┐
//	                                    ├─> witness ─> faults, counts
//	thread of a Curator client ─ TCP ───┘
//
// The Java programs are in the folder java. A test compiles them against the
// installed jars and runs them as a child, which ends when its standard input
// does. The tests need a JDK and Curator, which "make interop" installs, and
// fail without. The flag -interop-for says how long the contenders contend:
//
//	go test -v ./zklock/test/interop -interop-for 30s
package interop
