package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// summarize makes one status of those of all servers: of one that is live, if
// there is one, else of the first.
func summarize(servers []zkserver.Status) zkserver.Status {
	for _, s := range servers {
		if s.State == zkserver.Live {
			return s
		}
	}
	return servers[0]
}

// health answers whether ZooKeeper can be reached.
func (s *Server) health(c echo.Context) error {
	servers := s.config.ZooKeeper()
	zookeeper := summarize(servers)
	status, word := http.StatusOK, "ok"
	if zookeeper.State != zkserver.Live {
		status, word = http.StatusServiceUnavailable, "zookeeper unreachable"
	}
	return c.JSON(status, map[string]any{
		"status": word, "version": s.config.Version, "zookeeper": zookeeper, "servers": servers,
	})
}
