// Package redisserver finds a redis-server on this machine, runs it as a child process,
// and breaks it on request.
//
// [Start] is for a playground without a Redis of its own, and for tests: a real server
// on a free loopback port that keeps everything in memory, so it needs no directory and
// leaves no file. One that dies comes back by itself, on the same port and empty, as a
// cache does.
package redisserver
