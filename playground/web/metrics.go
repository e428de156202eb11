package web

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// metrics are the numbers for Prometheus, in a registry of their own.
type metrics struct {
	viewers     prometheus.Gauge
	consoles    prometheus.Gauge
	slowViewers prometheus.Counter
	refused     *prometheus.CounterVec // by what was wrong
	handler     http.Handler
}

func newMetrics(config Config) *metrics {
	registry := prometheus.NewRegistry()
	m := &metrics{
		viewers:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "playground_viewers", Help: "Streams that are open."}),
		consoles: prometheus.NewGauge(prometheus.GaugeOpts{Name: "playground_consoles", Help: "Consoles that are open."}),
		slowViewers: prometheus.NewCounter(prometheus.CounterOpts{Name: "playground_slow_viewers_total",
			Help: "Streams that were closed because nobody read them."}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "playground_refused_total", Help: "Requests, and messages of viewers, that were refused, by the reason."}, []string{"reason"}),
	}
	registry.MustRegister(m.viewers, m.consoles, m.slowViewers, m.refused, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("playground_rooms", "Rooms that exist.", func() float64 {
			return count(config.Rooms, one)
		}),
		gauge("playground_runs", "Runs under way.", func() float64 { return count(config.Rooms, running) }),
		gauge("playground_events", "Events in the logs of all rooms.", func() float64 { return count(config.Rooms, events) }),
		gauge("playground_zookeeper_up", "1 if ZooKeeper answers.", func() float64 {
			if summarize(config.ZooKeeper()).State == zkserver.Live {
				return 1
			}
			return 0
		}))
	if config.Cluster != nil {
		registry.MustRegister(owned{config.Rooms, prometheus.NewDesc("playground_room_owned", "1 for each room that this playground has, of those of the cluster.", []string{"room"}, nil)})
	}
	if config.Guests != nil {
		registry.MustRegister(config.Guests.Metrics()...)
		registry.MustRegister(gauge("playground_guests", "Guests of the runs under way, consoles too.", func() float64 {
			return count(config.Rooms, guestsOf)
		}))
	}
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// owned tells of each room, as a collector.
type owned struct {
	rooms *room.Rooms
	desc  *prometheus.Desc
}

func (o owned) Describe(descs chan<- *prometheus.Desc) { descs <- o.desc }

func (o owned) Collect(metrics chan<- prometheus.Metric) {
	o.rooms.Each(func(r *room.Room) {
		metrics <- prometheus.MustNewConstMetric(o.desc, prometheus.GaugeValue, 1, r.Name())
	})
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}

func count(rooms *room.Rooms, of func(*room.Room) int64) float64 {
	var total int64
	rooms.Each(func(r *room.Room) { total += of(r) })
	return float64(total)
}

func one(*room.Room) int64 { return 1 }

// clients are those of a run under way.
func clients(r *room.Room) int64 {
	run, _ := r.Current()
	if run == nil || run.State() == event.Finished {
		return 0
	}
	described := run.Describe()
	return int64(described.Clients * len(described.Lanes))
}

func running(r *room.Room) int64 {
	if run, _ := r.Current(); run != nil && run.State() != event.Finished {
		return 1
	}
	return 0
}

func guestsOf(r *room.Room) int64 {
	if run, _ := r.Current(); run != nil {
		return int64(len(run.Guests()))
	}
	return 0
}

func events(r *room.Room) int64 {
	if run, _ := r.Current(); run != nil {
		return run.Log().Len()
	}
	return 0
}
