// Package locker is the program's side of the dialogue of playground/program, for locks
// that are written in Go. [Serve] speaks it for any lock, and [Run] for a recipe of the
// playground, which then is judged like a stranger's.
package locker
