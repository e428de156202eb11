// Package child runs a server as our child process, so that it dies with us.
//
// [Launch] starts it in a process group of its own, which Ctrl-C does not reach; a
// [Process] is ended by [Process.Terminate] or [Process.Kill], and on Linux by the
// kernel when we die without doing so. A [Tail] keeps the end of what it writes, to
// explain why it does not start. [FreePorts] finds it a place to listen. What the
// server is, and whether it serves, is no concern of the package.
package child
