//go:build !linux

package link_test

func actAsProcess() bool { return false }
