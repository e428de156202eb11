package metrics_test

import (
	"context"
	"fmt"
	"log"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/metrics"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

// An exampleTB stands for the test that an example is not given.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()           {}
func (exampleTB) Fatal(args ...any) { log.Panic(args...) }

func Example() {
	ctx := context.Background()
	registry := prometheus.NewRegistry()
	counted, err := metrics.New(registry)
	if err != nil {
		log.Panic(err)
	}
	session, err := zklock.Dial([]string{zktest.Start(exampleTB{}).Address()}, 20*time.Second)
	if err != nil {
		log.Panic(err)
	}
	defer session.Close(ctx)
	mutex := zklock.NewMutex(session, "/examples/metrics", zklock.WithLockTrace(counted.Locks("example")))
	lease, err := mutex.Lock(ctx)
	if err != nil {
		log.Panic(err)
	}
	show(registry)
	if err := lease.Unlock(ctx); err != nil {
		log.Panic(err)
	}
	show(registry)
	// Output:
	// held 1, acquired 1, lost 0
	// held 0, acquired 1, lost 0
}

func show(registry *prometheus.Registry) {
	families, err := registry.Gather()
	if err != nil {
		log.Panic(err)
	}
	values := make(map[string]float64)
	for _, f := range families {
		m := f.GetMetric()[0]
		values[f.GetName()] = m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
	}
	fmt.Printf("held %v, acquired %v, lost %v\n", values["zklock_held"], values["zklock_wait_seconds"], values["zklock_lost_total"])
}
