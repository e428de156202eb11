package main

import (
	"errors"
	"testing"
	"time"
)

func TestMeasured(t *testing.T) {
	m := newMatch(cell{Recipe: "fake", Contenders: 2})
	m.measured.add([]int64{10, 10}, []int64{110, 60}, 300*time.Millisecond)
	m.measured.add([]int64{110, 60}, []int64{110, 110}, 100*time.Millisecond)
	m.measured.packets = traffic{received: 600, sent: 1000}
	s, err := m.sample()
	if err != nil {
		t.Fatal(err)
	}
	want := sample{cell: m.cell, PerSecond: 500, Requests: 3, Notifications: 2, Least: 100, Most: 100}
	if s != want {
		t.Errorf("sample %+v, want %+v", s, want)
	}
}

func TestMeasuredRefuses(t *testing.T) {
	m := newMatch(cell{Contenders: 2})
	if _, err := m.sample(); !errors.Is(err, errNothing) {
		t.Errorf("error %v, want %v", err, errNothing)
	}
	m.measured.add([]int64{2, 0}, []int64{20, 0}, time.Second)
	if _, err := m.sample(); !errors.Is(err, errStarved) {
		t.Errorf("error %v, want %v", err, errStarved)
	}
}
