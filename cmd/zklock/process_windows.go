package main

import (
	"os"
	"syscall"
)

// forwarded are the signals that end zklock: there are no others.
var forwarded = []os.Signal{os.Interrupt, syscall.SIGTERM}

// fromKeyboard: the console has told the command, too.
func fromKeyboard(os.Signal) bool { return true }

func onTerminal() bool { return true }

func attributes(bool) *syscall.SysProcAttr { return nil }

// signal kills the command: there is no way to ask it to end.
func (c *command) signal(os.Signal) { c.kill() }

func (c *command) kill() { _ = c.process.Kill() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }

// killRest and guard need groups of processes.
func (c *command) killRest() {}

type guard struct{}

func startGuard() (*guard, error) { return &guard{}, nil }

func (g *guard) watch(*command) error { return nil }

func (g *guard) end() {}

const guardCommand = "guard"

func beGuard() int { return exitFailure }
