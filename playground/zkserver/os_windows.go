package zkserver

import (
	"errors"
	"fmt"
	"os"
)

// canManage says that no servers can be started here: locks that a child inherits, and
// signals, are missing.
func canManage() error {
	return fmt.Errorf("%w: on Windows none is started here; use a running one with -zookeeper host:port, such as that of docker compose up", ErrNoZooKeeper)
}

const noFollow = 0

func ownedByUser(os.FileInfo) bool { return false }

func flock(*os.File) error { return errors.ErrUnsupported }
