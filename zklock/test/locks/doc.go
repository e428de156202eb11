// Package locks tests package zklock as its users see it: through what it exports, on
// a real ZooKeeper, over networks that the tests break. It has only tests. What they
// share is in helpers_test.go, and the network in network_test.go; a new kind of lock
// is added to recipes in conformance_test.go, and so passes the tests of all.
//
// Examples are beside the code, and so are tests of what is not exported.
package locks
