package guests

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkplayground/zkplayground/playground/chroot"
)

// metrics are the numbers for Prometheus.
type metrics struct {
	connections     prometheus.Gauge
	turnedAway      prometheus.Counter
	refusedRequests *prometheus.CounterVec // by ZooKeeper's error
}

func newMetrics() *metrics {
	return &metrics{
		connections: prometheus.NewGauge(prometheus.GaugeOpts{Name: "playground_guest_connections", Help: "Connections of guests that are open."}),
		turnedAway: prometheus.NewCounter(prometheus.CounterOpts{Name: "playground_guests_turned_away_total",
			Help: "Connections that became no guest, as there was no run, or what came was not ZooKeeper's protocol."}),
		refusedRequests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "playground_guest_refused_total",
			Help: "Requests of guests that were refused, by ZooKeeper's error."}, []string{"error"}),
	}
}

func (m *metrics) refused(r chroot.Refusal) { m.refusedRequests.WithLabelValues(r.Code.String()).Inc() }

// Metrics are the server's.
func (s *Server) Metrics() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.connections, s.metrics.turnedAway, s.metrics.refusedRequests}
}
