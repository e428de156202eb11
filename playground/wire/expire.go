package wire

import (
	"context"
	"fmt"
)

// Expire ends a session that belongs to somebody else, at once: it attaches to
// it and closes it. The server drops the owner's connection. An owner that
// connects again in between keeps the session, so hold its link meanwhile.
// Code SessionExpired says that the session is gone already, or the password
// is wrong: the server does not tell which.
func Expire(ctx context.Context, addr string, sessionID int64, password []byte) error {
	c, err := Dial(ctx, addr, Options{SessionID: sessionID, Password: password})
	if err == nil {
		err = c.CloseSession(ctx)
	}
	if err != nil {
		return fmt.Errorf("expire session %s: %w", SessionHex(sessionID), err)
	}
	return nil
}
