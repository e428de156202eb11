// Package log writes what package zklock reports to a [slog.Logger].
//
//	session, err := zklock.Dial(servers, timeout, zklock.WithSessionHook(log.Sessions(logger)))
//	mutex := zklock.NewMutex(session, "/locks/report", zklock.WithLockTrace(log.Locks(logger)))
package log

import (
	"context"
	"errors"
	"log/slog"

	"github.com/zkplayground/zkplayground/zklock"
)

// Locks returns a trace that logs what becomes of acquisitions: that a lock was acquired
// or released, at Info; what went wrong, at Warn; and a lease that was lost, at Error. A
// try that found the lock held is at Debug.
func Locks(logger *slog.Logger) *zklock.Trace {
	return &zklock.Trace{
		Acquired: func(info zklock.AcquiredInfo) {
			logger.Info("lock acquired", "node", info.Node, "token", info.Token, "waited", info.Waited)
		},
		GaveUp: func(info zklock.GaveUpInfo) {
			level := slog.LevelWarn
			if errors.Is(info.Err, zklock.ErrHeld) {
				level = slog.LevelDebug
			}
			logger.Log(context.Background(), level, "lock not acquired", "path", info.Path, "node", info.Node, "error", info.Err)
		},
		Released: func(info zklock.ReleasedInfo) {
			if info.Err != nil {
				logger.Warn("lock not released as it should be", "node", info.Node, "token", info.Token, "error", info.Err)
				return
			}
			logger.Info("lock released", "node", info.Node, "token", info.Token)
		},
		Lost: func(info zklock.LostInfo) {
			logger.Error("lock lost", "node", info.Node, "token", info.Token, "error", info.Cause)
		},
		RevokeAsked: func(info zklock.RevokeAskedInfo) {
			logger.Info("lock asked for", "node", info.Node, "token", info.Token)
		},
		OrphanQueued: func(info zklock.OrphanInfo) {
			logger.Warn("znode to be deleted in the background", "path", info.Path, "node", info.Node, "guid", info.GUID)
		},
		OrphanDone: func(info zklock.OrphanInfo) {
			logger.Info("znode settled", "path", info.Path, "node", info.Node, "guid", info.GUID, "error", info.Err)
		},
	}
}

// Sessions returns a hook that logs the states of a session: Lost at Error, the others at
// Info.
func Sessions(logger *slog.Logger) func(zklock.SessionState) {
	return func(s zklock.SessionState) {
		if s.State == zklock.Lost {
			logger.Error("session lost", "session", s.SessionID, "error", s.Cause)
			return
		}
		logger.Info("session "+s.State.String(), "session", s.SessionID, "timeout", s.Timeout)
	}
}
