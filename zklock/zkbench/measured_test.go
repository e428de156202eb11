package main

import (
	"errors"
	"testing"
	"time"
)

func TestMeasured(t *testing.T) {
	m := newMatch(cell{Recipe: "fake", condition: condition{inTurn, 2, 0}})
	start := time.Unix(0, 0)
	m.measured.add([]int64{0, 0}, []int64{110, 60}, lapUntil(start, 10, 10), start.Add(300*time.Millisecond))
	m.measured.add([]int64{110, 60}, []int64{120, 130}, lapUntil(start, 120, 80), start.Add(100*time.Millisecond))
	m.measured.add([]int64{120, 130}, []int64{120, 150}, newLap(2, true), start.Add(time.Hour)) // used up
	m.measured.packets = traffic{received: 810, sent: 1350}
	s, err := m.sample()
	if err != nil {
		t.Fatal(err)
	}
	want := sample{cell: m.cell, PerSecond: 500, Requests: 3, Notifications: 2, Least: 100, Most: 100}
	if s != want {
		t.Errorf("sample %+v, want %+v", s, want)
	}
}

// lapUntil is a lap that ended then, with so many acquisitions of each contender.
func lapUntil(ended time.Time, counts ...int64) *lap {
	l := newLap(len(counts), true)
	l.ended, l.counts = ended, counts
	close(l.over)
	return l
}

func TestMeasuredRefuses(t *testing.T) {
	m := newMatch(cell{condition: condition{inTurn, 2, 0}})
	if _, err := m.sample(); !errors.Is(err, errNothing) {
		t.Errorf("error %v, want %v", err, errNothing)
	}
	start := time.Unix(0, 0)
	m.measured.add([]int64{0, 0}, []int64{20, 0}, lapUntil(start, 2, 0), start.Add(time.Second))
	if _, err := m.sample(); !errors.Is(err, errStarved) {
		t.Errorf("error %v, want %v", err, errStarved)
	}
}
