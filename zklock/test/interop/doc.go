// Package interop tests that clients of other lock libraries may stand in the
// same queue as those of zklock: Apache Curator, which is Java, kazoo, which is
// Python, and the Lock of go-zookeeper. It has no code to import.
//
// In a contest, clients of several libraries, each with a session of its own, take
// one lock in turn for a while. No clock is compared between processes. Instead each
// holder tells a witness in the test's process when it enters, and by which znode, and
// when it leaves, and waits for the answer before it goes on; so two holders at
// once are two who are inside at once. The numbers of the znodes in the order of
// entry show whether the queue is first come, first served.
//
//	goroutine of a Go client  ─── call ──┐
//	                                     ├─> witness ─> violations, counts
//	thread of Curator or kazoo ── TCP ───┘
//
// Which two may stand on one path, what each has to be told, and what came of it, is in
// README.md, where "make interop" writes it. Other tests show what happens where one side
// is not told.
//
// The programs of a contest may also be guests: clients who see one subtree as their
// root, through package chroot, in one queue with those who see everything.
//
// The programs in other languages are in the folders java and python. A test runs
// them as children, which end when their standard input does. The tests need a JDK
// and Curator, and Python with kazoo, which "make setup" installs, and fail
// without. Those are Debian's; "make interop" contends with newer ones. The flag
// -interop-for says how long a contest lasts at least:
//
//	go test -v ./zklock/test/interop -interop-for 30s
package interop
