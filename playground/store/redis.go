package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
)

const (
	// syncEvery is the pause between two questions whether the log has all changes.
	syncEvery = 500 * time.Millisecond
	// redisTimeout bounds each of our own requests.
	redisTimeout = 3 * time.Second
)

// ErrSilent: a Redis that is not ours publishes no expired keys, so that the holder of the
// lock could not be known.
var ErrSilent = errors.New("this Redis does not publish changes of its keys: start it with --notify-keyspace-events K$gx")

// A Redis is the store of a lane whose lock is a key of Redis.
type Redis struct {
	address string
	key     string
	ledger  *ledger
	watch   latch.Latch // open while all changes are seen

	mu     sync.Mutex
	asked  int64                  // so many barriers
	awaits map[int64]chan<- error // by number
	client *redis.Client          // of the connection that observes; nil without
}

var _ Store = (*Redis)(nil)

// OpenRedis returns the store of a lane in the Redis at that address, which must answer.
func OpenRedis(ctx context.Context, address string, lane event.Lane, r Recorder) (*Redis, error) {
	s := &Redis{address: address, key: Key(lane), ledger: newLedger(lane, r), awaits: make(map[int64]chan<- error)}
	s.watch.Shut()
	client := s.connect()
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	set, err := client.ConfigGet(ctx, "notify-keyspace-events").Result()
	if err != nil {
		return nil, fmt.Errorf("ask Redis at %s: %w", address, err)
	}
	if told := strings.ReplaceAll(set["notify-keyspace-events"], "A", "g$x"); !containsAll(told, "K$gx") {
		return nil, ErrSilent
	}
	return s, nil
}

func containsAll(s, letters string) bool {
	for _, letter := range letters {
		if !strings.ContainsRune(s, letter) {
			return false
		}
	}
	return true
}

// connect returns a client of our own; it dials when it is used.
func (s *Redis) connect() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.address, Protocol: 2, DisableIdentity: true, MaxRetries: -1, DialerRetries: 1,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}})
}

// DialContext connects a client.
func (s *Redis) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", s.address)
}

// Await returns when Run sees every change.
func (s *Redis) Await(ctx context.Context) error { return s.watch.Wait(ctx) }

// Run observes the key, over as many connections as that takes.
func (s *Redis) Run(ctx context.Context) {
	for told := false; ctx.Err() == nil; {
		connected, err := s.observe(ctx)
		if ctx.Err() != nil {
			return
		}
		if connected || !told {
			told = true
			s.ledger.lost(fmt.Errorf("Redis at %s does not answer, the lane goes on when it is back: %w", s.address, err))
		}
		clock.Sleep(ctx, dialPause)
	}
}

// observe is one connection's worth of observing; it returns why that ended, and
// whether there was one.
func (s *Redis) observe(ctx context.Context) (connected bool, err error) {
	client := s.connect()
	defer client.Close()
	pubsub := client.Subscribe(ctx, s.keyspace(), s.barriers())
	defer pubsub.Close()
	defer context.AfterFunc(ctx, func() { _ = pubsub.Close() })()
	for range 2 { // what comes from now on is published to us
		if _, err := pubsub.ReceiveTimeout(ctx, redisTimeout); err != nil {
			return false, err
		}
	}
	now, err := s.look(ctx, client)
	if err != nil {
		return false, err
	}
	s.ledger.found(now)
	s.begin(client)
	defer s.end()
	asking, stop := context.WithCancel(ctx)
	var asks sync.WaitGroup
	defer asks.Wait()
	defer stop()
	asks.Go(func() { s.keepAsking(asking) })
	for {
		message, err := pubsub.ReceiveMessage(ctx)
		if err == nil {
			err = s.heard(ctx, client, message)
		}
		if err != nil {
			return true, err
		}
	}
}

func (s *Redis) keyspace() string { return "__keyspace@0__:" + s.key }
func (s *Redis) barriers() string { return s.key + "/sync" }

// look reads the holder of the key, and for how long yet.
func (s *Redis) look(ctx context.Context, client *redis.Client) (state, error) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	holder, err := client.Get(ctx, s.key).Result()
	if errors.Is(err, redis.Nil) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	expiry, err := client.PTTL(ctx, s.key).Result()
	return state{there: true, holder: holder, expiry: max(expiry, 0)}, err
}

// heard takes what the server publishes, in its order. It names the key and not its
// holder, which is read at once. A key that is given back in the time of that question
// stays without a holder, or has that of the next: this takes no longer than a client's
// own round trip, but where the machine stands still.
func (s *Redis) heard(ctx context.Context, client *redis.Client, m *redis.Message) error {
	if m.Channel == s.barriers() {
		s.passed(m.Payload)
		return nil
	}
	switch m.Payload {
	case "set":
		now, err := s.look(ctx, client)
		if err != nil {
			return err
		}
		s.ledger.created(now)
	case "del":
		s.ledger.deleted(byClient)
	case "expired", "evicted":
		s.ledger.deleted(byExpiry)
	}
	return nil
}

// begin and end frame the time in which all changes are seen.
func (s *Redis) begin(client *redis.Client) {
	s.mu.Lock()
	s.client = client
	s.mu.Unlock()
	s.watch.Open()
}

func (s *Redis) end() {
	s.watch.Shut()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = nil
	for number, answer := range s.awaits {
		answer <- errLostBarrier
		delete(s.awaits, number)
	}
}

var errLostBarrier = errors.New("the connection to Redis was lost")

// keepAsking sends barriers until ctx ends.
func (s *Redis) keepAsking(ctx context.Context) {
	for {
		s.ask(ctx, nil)
		if !clock.Sleep(ctx, syncEvery) {
			return
		}
	}
}

// ask publishes a barrier, which Redis delivers after every change that came before. Answer
// gets nil when it has come; it may be nil.
func (s *Redis) ask(ctx context.Context, answer chan<- error) {
	s.mu.Lock()
	client := s.client
	if client == nil {
		s.mu.Unlock()
		if answer != nil {
			answer <- errLostBarrier
		}
		return
	}
	s.asked++
	number := s.asked
	if answer != nil {
		s.awaits[number] = answer
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	// Should it fail, so does the connection on which the barrier is awaited.
	_ = client.Publish(ctx, s.barriers(), fmt.Sprintf("%d %d", number, s.ledger.recorder.Now())).Err()
}

// passed takes a barrier that has come.
func (s *Redis) passed(payload string) {
	first, second, _ := strings.Cut(payload, " ")
	number, err := strconv.ParseInt(first, 10, 64)
	sent, err2 := strconv.ParseInt(second, 10, 64)
	if err != nil || err2 != nil {
		return // another lane's
	}
	s.ledger.synced(sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer := s.awaits[number]; answer != nil {
		answer <- nil
		delete(s.awaits, number)
	}
}

// Sync returns when the log has every change that Redis had made before the call.
func (s *Redis) Sync(ctx context.Context) error {
	for {
		if err := s.watch.Wait(ctx); err != nil {
			return fmt.Errorf("wait for Redis at %s: %w", s.address, err)
		}
		answer := make(chan error, 1)
		s.ask(ctx, answer)
		select {
		case err := <-answer:
			if err == nil {
				return nil
			} // the connection broke: ask again on the next one
		case <-ctx.Done():
			return fmt.Errorf("wait for Redis at %s: %w", s.address, context.Cause(ctx))
		}
	}
}

// Delete deletes the key, whatever its holder.
func (s *Redis) Delete(ctx context.Context) (bool, error) {
	client := s.connect()
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	if err := s.Sync(ctx); err != nil { // else a client's deletion may be taken for ours
		return false, err
	}
	s.ledger.operated(true)
	n, err := client.Del(ctx, s.key).Result()
	if n == 0 {
		s.ledger.operated(false)
	}
	return n > 0, err
}

// Close deletes what is left of the key.
func (s *Redis) Close(ctx context.Context) error {
	client := s.connect()
	defer client.Close()
	if err := client.Del(ctx, s.key).Err(); err != nil {
		return fmt.Errorf("delete %s in Redis: %w", s.key, err)
	}
	return nil
}
