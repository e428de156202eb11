package sim

import "slices"

// The faults of a client by name. [Faults] lists those that can be injected.
const (
	// Close: the client ends its session in good order and is gone.
	Close = "close"
	// Crash: the process is gone. Its connection ends for ever, its session
	// lives on at the server until the timeout, and so does its znode.
	Crash = "crash"
	// Pause: the process stands still, as in a long garbage collection. The
	// network goes on.
	Pause = "pause"
	// Partition: nothing passes the link, in neither direction.
	Partition = "partition"
	// PartitionOut: what the client sends is held, and arrives when that is over.
	PartitionOut = "partition-out"
	// PartitionIn: what the server sends is held, and arrives when that is over.
	PartitionIn = "partition-in"
	// Slow: each frame takes Delay, and up to Jitter more.
	Slow = "slow"
	// LoseReply: the server does what it is asked next, its answer is lost with
	// the connection.
	LoseReply = "lose-reply"
	// Expire: the server ends the session now, behind the client's back.
	Expire = "expire"
	// Delete: an operator deletes the client's newest znode.
	Delete = "delete"
	// Heal ends whatever lasts.
	Heal = "heal"
)

// The faults of the servers by name. They concern no client and no lane.
const (
	// Restart: a server is killed and started again.
	Restart = "restart"
	// KillFollower and KillLeader: that server is killed, and stays down for
	// as long as the fault lasts; without a length it is started again at once.
	KillFollower = "kill-follower"
	KillLeader   = "kill-leader"
	// LoseQuorum: so many servers are down that the others do not serve.
	LoseQuorum = "lose-quorum"
	// HealServers starts every server that is down.
	HealServers = "heal-servers"
)

// ServerFaults returns the names of the faults of servers, which need a
// ZooKeeper of the playground's own.
func ServerFaults() []string {
	return []string{Restart, KillFollower, KillLeader, LoseQuorum, HealServers}
}

// FaultNames returns the names of all faults, of clients and of servers.
func FaultNames() []string { return append(Faults(), ServerFaults()...) }

// Lasting returns the names of the faults that may be given a length.
func Lasting() []string {
	return []string{Pause, Partition, PartitionOut, PartitionIn, Slow, LoseReply, KillFollower, KillLeader, LoseQuorum}
}

func ofServers(name string) bool { return slices.Contains(ServerFaults(), name) }
