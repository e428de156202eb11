// Package store has the stores, other than ZooKeeper, that the lock of a lane may be in:
// a key of Redis, and a row of SQLite. They are there to be compared with ZooKeeper
// under the same faults.
//
//	client: recipe -> Conn -> link, tap -> Redis, over TCP
//	                                   \-> SQLite: one program that has the file
//	Store: tree.* events of the lane <- what the store itself reports of its changes
//
// A client reaches either over a connection of its own, so every fault acts on its
// requests. Redis has one by nature. SQLite is a file in the program that uses it; here
// one program has the file, as a database server has its files, and each client sends
// it statements over a pipe in the protocol of Redis. What the statements do, and
// when it is committed, is SQLite's.
//
// A Store records the holders of the lock by what the store itself reports: the
// keyspace notifications of Redis, the commit hook of SQLite. It does not look at what
// clients ask for, so that what they believe can be judged by it.
package store
