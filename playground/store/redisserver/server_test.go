package redisserver_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/store/redisserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T) (*redisserver.Server, *redis.Client) {
	t.Helper()
	program, err := redisserver.Find(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	server, err := redisserver.Start(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: server.Address(), Protocol: 2})
	t.Cleanup(func() {
		client.Close()
		if err := server.Stop(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error("stop: ", err)
		}
		_ = server.Stop(t.Context())
	})
	return server, client
}

func TestRestartForgets(t *testing.T) {
	server, client := start(t)
	if err := client.Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	before := server.PID()
	server.Restart()
	if zktest.Running(before) {
		t.Errorf("process %d still runs after Restart", before)
	}
	for t.Context().Err() == nil {
		conn, err := net.Dial("tcp", server.Address())
		if err != nil {
			continue // it is not back yet
		}
		conn.Close()
		if err := client.Get(t.Context(), "key").Err(); errors.Is(err, redis.Nil) {
			break
		} else if err == nil {
			t.Fatal("the key outlived the server")
		}
	}
	if now := server.PID(); now == before {
		t.Errorf("process %d runs again", now)
	}
}

func TestStopLeavesNoProcess(t *testing.T) {
	server, _ := start(t)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if pid := server.PID(); zktest.Running(pid) {
		t.Errorf("process %d still runs after Stop", pid)
	}
}

func TestFindSaysWhatToInstall(t *testing.T) {
	if _, err := os.Stat("/usr/local/bin/redis-server"); err == nil {
		t.Skip("there is one beside the PATH")
	}
	_, err := redisserver.Find(func(string) string { return t.TempDir() })
	if !errors.Is(err, redisserver.ErrNoRedis) || !strings.Contains(err.Error(), "apt-get install redis-server") {
		t.Errorf("Find without redis-server = %v", err)
	}
}

func TestStartThatCannot(t *testing.T) {
	if _, err := redisserver.Start(t.Context(), "/bin/false"); !errors.Is(err, redisserver.ErrBoot) {
		t.Errorf("Start of /bin/false = %v, want ErrBoot", err)
	}
}
