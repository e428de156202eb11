// Package program runs code that is not ours as a client of a run: a process that speaks
// JSON lines with the playground, and ZooKeeper's protocol with a server.
//
// # What a program finds
//
// Its environment has
//
//	PLAYGROUND_SERVER      host:port of its ZooKeeper; "/" there is the program's lane
//	PLAYGROUND_LOCK        the path of the lock, "/lock"; the znode is there
//	PLAYGROUND_CLIENT      its number among the programs of the lane, from 1
//	PLAYGROUND_SESSION_MS  the session timeout to ask for, in milliseconds
//
// Everything that it sends to PLAYGROUND_SERVER passes a link of its own, on which faults
// act. What it says on its standard output does not: belief must not be held up by the
// network that is being broken.
//
// # The dialogue
//
// Both sides write one JSON object on a line. The program reads
//
//	{"type":"acquire","turn":1,"mode":"write"}   take the lock; the mode may be "read"
//	{"type":"acquire","turn":1,"mode":"write","deadlineMs":500}   or give up after that time
//	{"type":"release","turn":1}                  give it back
//
// and after the end of its input closes its session and ends. It writes
//
//	{"type":"acquired","turn":1}                 I hold; "token" may give a fence, a number
//	                                             that grows, and "znode" my znode
//	{"type":"released","turn":1}                 I have given it back
//	{"type":"lost","turn":1,"why":"..."}         I held, and know that I do no longer
//	{"type":"failed","turn":1,"why":"..."}       I have not got it, and want it no more
//	{"type":"at","line":12}                      I am at this line of my source
//	{"type":"note","text":"..."}                 for people
//
// There is one turn at a time. A program is asked to acquire when the turn before has
// ended: by released, lost or failed. A program may say lost in answer to release. Each
// line has at most 64 KiB, and there are at most 1,000 a second. What a program says that
// does not fit ends it with a sentence that says what was expected.
// Its standard error is kept, a line at a time.
//
// The least that a program does, in a shell that had a lock:
//
//	while read -r line; do
//	  case "$line" in
//	  *'"acquire"'*)  take-lock "$PLAYGROUND_SERVER" "$PLAYGROUND_LOCK"; echo '{"type":"acquired"}' ;;
//	  *'"release"'*)  drop-lock;                                         echo '{"type":"released"}' ;;
//	  esac
//	done
//
// A turn that is left out is the one under way.
//
// # Processes
//
// A [Process] is started by a supervisor, the playground's own binary under another name:
// see [Supervise]. It ends the program with all that it has started, also what has left
// its process group, when the playground says so and when the playground is gone.
// A program is not confined otherwise: it can do what the user can who has started the
// playground.
package program
