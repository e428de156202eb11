// Package metrics counts what package zklock reports, for Prometheus.
//
//	counted, err := metrics.New(prometheus.DefaultRegisterer)
//	mutex := zklock.NewMutex(session, "/locks/report", zklock.WithLockTrace(counted.Locks("report")))
package metrics

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkplayground/zkplayground/zklock"
)

// Metrics are those of locks, each by the name that the program gives it. A [zklock.Multi]
// counts once for each of its paths.
type Metrics struct {
	waits                 *prometheus.HistogramVec
	failures, lost, asked *prometheus.CounterVec
	held                  *prometheus.GaugeVec
}

// New returns metrics that are registered with r.
func New(r prometheus.Registerer) (*Metrics, error) {
	label := []string{"lock"}
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, label)
	}
	m := &Metrics{
		waits: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "zklock_wait_seconds", Help: "Time from a call of Lock until the lock was held.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		}, label),
		failures: counter("zklock_failures_total", "Calls of Lock that returned an error other than that the lock is held."),
		lost:     counter("zklock_lost_total", "Leases that ended without Unlock."),
		asked:    counter("zklock_revokes_total", "Leases that somebody asked for."),
		held:     prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "zklock_held", Help: "Leases that are held."}, label),
	}
	return m, errors.Join(r.Register(m.waits), r.Register(m.failures), r.Register(m.lost), r.Register(m.asked), r.Register(m.held))
}

// Locks returns a trace that counts under a name. Several locks may have the same.
func (m *Metrics) Locks(name string) *zklock.Trace {
	held := m.held.WithLabelValues(name)
	failures, lost, asked := m.failures.WithLabelValues(name), m.lost.WithLabelValues(name), m.asked.WithLabelValues(name)
	return &zklock.Trace{
		Acquired: func(info zklock.AcquiredInfo) {
			m.waits.WithLabelValues(name).Observe(info.Waited.Seconds())
			held.Inc()
		},
		GaveUp: func(info zklock.GaveUpInfo) {
			if !errors.Is(info.Err, zklock.ErrHeld) {
				failures.Inc()
			}
		},
		ReleaseStart: func(zklock.ReleaseStartInfo) { held.Dec() },
		Lost: func(zklock.LostInfo) {
			held.Dec()
			lost.Inc()
		},
		RevokeAsked: func(zklock.RevokeAskedInfo) { asked.Inc() },
	}
}
