// Package zktest gives tests a real ZooKeeper.
//
// A test package that needs one has this TestMain:
//
//	func TestMain(m *testing.M) { zktest.Main(m) }
//
// The first [Start] of the package boots a server, every further one returns
// the same, and [Main] stops it when all tests have run and then looks for
// goroutines that they left behind. A test keeps apart from the others by
// working below its own [Server.Root]. A test that wants to kill or restart its
// server asks for one of its own with [StartOwn]; one that needs a server with a
// past gives it a [SnapshotDir], or shares one by [StartPrepared].
//
// With -secure tls,auth,chroot the servers are reached as in production: tests dial by
// [Dial], and ask [Secure] for the rest.
//
// A machine without ZooKeeper or Java fails these tests; nothing is skipped.
package zktest
