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
	if summarize(s.config.ZooKeeper()).State != zkserver.Live {
		return s.tellHealth(c, http.StatusServiceUnavailable, "zookeeper unreachable")
	}
	return s.tellHealth(c, http.StatusOK, "ok")
}

// ready answers whether visitors should be sent here: not without ZooKeeper, nor when
// the server is about to stop.
func (s *Server) ready(c echo.Context) error {
	if s.draining.Load() {
		return s.tellHealth(c, http.StatusServiceUnavailable, "shutting down")
	}
	return s.health(c)
}

func (s *Server) tellHealth(c echo.Context, status int, word string) error {
	servers := s.config.ZooKeeper()
	return c.JSON(status, map[string]any{
		"status": word, "version": s.config.Version, "zookeeper": summarize(servers), "servers": servers,
	})
}

// live answers that the program runs; a new start of it would not bring ZooKeeper back.
func (s *Server) live(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]any{"status": "ok", "version": s.config.Version})
}
