package main

import "github.com/zkplayground/zkplayground/playground/judge"

// A lock is one that is judged.
type lock struct {
	// name is that of its directory, and title and version are for the table.
	name, title, version string
	// kit is the language of the kit that is its program, changes are made in that, and
	// programs is the folder here that has others.
	kit, programs string
	changes       []change
	// prepare is run once in the directory, and command is its program.
	prepare, command string
	// trial is the only one, of a bug; bug is where that was reported, and property what
	// the lock lacks by it.
	trial, bug string
	property   judge.Property
	// notes say why it fails.
	notes []note
}

// A note says why a lock fails a trial in a property.
type note struct {
	trials   []string
	property judge.Property
	text     string
}

const (
	jar     = "mvn -q package"
	program = "java -cp 'target/classes:target/dependency/*' "
)

// curator54 has the kit in Java take Curator 5.4.0.
var curator54 = change{"pom.xml", "5.7.1", "5.4.0"}

// deleted is what locks fail whose holder does not watch its own znode.
var deleted = note{[]string{"deleted-znode"}, judge.Safe, "the holder does not watch its own znode, so it works on beside the next one. " +
	"By design: the textbook lock does not, as nobody but its holder is to delete a lock's znode."}

// counter is what locks fail that trust each number of the directory to be another one.
var counter = note{[]string{"counter-at-its-end"}, judge.Safe, "at its end the directory's counter gives the same number to several znodes, and each counts itself first."}

// node are for locks on node-zookeeper-client 0.2.2.
var node = []note{deleted, counter,
	{[]string{"partition"}, judge.Safe, "node-zookeeper-client 0.2.2 has no read timeout: a holder that is cut off learns it only when its socket fails."},
	{[]string{"lost-reply-to-create"}, judge.Live, "a create without a reply is taken for one that failed. Its znode has no name to find it by, stays in the queue, and everybody waits for it."},
	{[]string{"lost-reply-to-create", "restart"}, judge.Clean, "the znode of that create stays beside the next one."},
}

var locks = []lock{
	{name: "zklock", title: "zklock `Mutex`", version: "this repository", prepare: "true", command: "PLAYGROUND lock zklock"},
	{name: "go-zookeeper", title: "go-zookeeper `Lock`", version: "1.0.4", kit: "go", prepare: "go build", command: "./mylock", notes: []note{deleted, counter,
		{[]string{"deleted-place"}, judge.Safe, "it looks for lower numbers than its own, and not for its own znode. If that is gone, it gets the lock by nothing."},
		{[]string{"leader-killed", "restart", "quorum-lost"}, judge.Live, "if the connection breaks while it waits, it returns an error and leaves its znode in the queue. The session lives on, and `Unlock` knows nothing of that znode."},
		{[]string{"leader-killed", "restart", "quorum-lost"}, judge.Clean, "the znode of a wait that has failed stays beside the next one."},
	}},
	{name: "curator", title: "Curator `InterProcessMutex`", version: "5.7.1", kit: "java", prepare: jar, command: program + "MyLock", notes: []note{deleted, counter,
		{[]string{"quorum-lost"}, judge.Safe, "a client that waits gets a new session, and goes on waiting by the znode of the old one. It gets the lock by that, until the server ends the old session (CURATOR-604, which is open)."},
	}},
	{name: "kazoo", title: "kazoo `Lock`", version: "2.11.0", kit: "python", prepare: "python3 -m venv venv && venv/bin/pip -q install kazoo==2.11.0",
		command: "venv/bin/python mylock.py", notes: []note{deleted, counter}},
	{name: "distributed-lock", title: "distributed-lock (npm)", version: "1.0.5", programs: "node", prepare: "npm install --silent", command: "node distributed-lock.js",
		notes: append(node, note{[]string{"restart"}, judge.Live, "a create whose reply the restart takes is made again, as with a lost reply. The first znode stays in the queue, and everybody waits for it."},
			note{[]string{"deleted-place"}, judge.Live, "its watch throws what nobody catches when its own znode is gone, and Node ends the process."},
			note{[]string{"calm"}, judge.Live, "it removes the lock's directory when that is empty, while another client queues up there. Then two znodes have the same name, and the exception of a delete ends the process."})},
	{name: "zoologist", title: "zoologist `LeaderElection` (npm)", version: "0.5.9", programs: "node", prepare: "npm install --silent", command: "node zoologist.js",
		notes: append(node, note{[]string{"calm", "long-queue"}, judge.Cheap, "every client watches the whole queue, and each change wakes all: a herd."},
			note{[]string{"leader-killed", "restart", "quorum-lost"}, judge.Live, "a broken connection leaves a znode in the queue: a delete that fails is not made again, and a wait that fails goes on by itself, beside the next one. The session lives on."},
			note{[]string{"leader-killed", "restart", "quorum-lost"}, judge.Clean, "that znode stays beside the next one."})},

	{name: "CURATOR-696", title: "Curator `LeaderLatch`", version: "5.4.0", kit: "java", programs: "java", changes: []change{curator54},
		prepare: "mv Latch.java src/main/java && " + jar, command: program + "Latch",
		trial: "quorum-lost", property: judge.Safe, bug: "CURATOR-696"},
	{name: "CURATOR-604", title: "Curator `InterProcessMutex`", version: "5.4.0, with 200 retries", kit: "java",
		changes: []change{curator54, {"src/main/java/MyLock.java", "RetryOneTime(100)", "RetryNTimes(200, 100)"}, {"src/main/java/MyLock.java", "RetryOneTime;", "RetryNTimes;"}},
		prepare: jar, command: program + "MyLock", trial: "quorum-lost", property: judge.Safe, bug: "CURATOR-604"},
	{name: "kazoo-649", title: "kazoo `ReadLock` and `WriteLock`", version: "2.8.0", kit: "python",
		changes: []change{
			{"mylock.py", "lock = CuratorsName(zk, os.environ[\"PLAYGROUND_LOCK\"])\n", "lock = None\nlocks = {m: new(os.environ[\"PLAYGROUND_LOCK\"]) for m, new in ((\"read\", zk.ReadLock), (\"write\", zk.WriteLock))}\n"},
			{"mylock.py", "        limit = ", "        lock = locks[message[\"mode\"]]\n        limit = "},
		},
		prepare: "python3 -m venv venv && venv/bin/pip -q install kazoo==2.8.0", command: "venv/bin/python mylock.py",
		trial: "readers-and-writers", property: judge.Live, bug: "kazoo #649"},
	{name: "samuel", title: "samuel/go-zookeeper `Lock`", version: "of 2019-09-23, with no listener", kit: "go",
		changes: []change{{"main.go", "github.com/go-zookeeper/zk", "github.com/samuel/go-zookeeper/zk"}, {"go.mod", "go-zookeeper/zk v1.0.4", "samuel/go-zookeeper v0.0.0-20190923202752-2cc03de413da"},
			{"main.go", "if e.Type == zk.EventSession && e.State != zk.StateHasSession {", "if false {"}},
		prepare: "go mod tidy && go build", command: "./mylock", trial: "expired-holder", property: judge.Safe, bug: "not reported"},
}
