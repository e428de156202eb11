package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
)

// A redisBackend is the Redis that runs may have locks in: one of our own, which is
// started when a run needs it, or somebody else's.
type redisBackend struct {
	run.Redis
	stop func(context.Context) error
}

// findRedis finds the Redis that the flags mean. Whether it answers a run finds out.
func (p program) findRedis(f backendFlags) (redisBackend, error) {
	address := f.redis
	if address == "auto" {
		address = cmp.Or(p.getenv("REDIS_SERVER"), address)
	}
	if address == "auto" {
		own := redisserver.NewOnDemand(p.getenv)
		return redisBackend{own, own.Stop}, nil
	}
	if !strings.Contains(address, ":") {
		address = net.JoinHostPort(address, "6379")
	}
	if !isAddress(address) {
		return redisBackend{}, fmt.Errorf("%w: -redis %q: write it as host:port, or auto", errUsage, f.redis)
	}
	return redisBackend{redisserver.Address(address), func(context.Context) error { return nil }}, nil
}
