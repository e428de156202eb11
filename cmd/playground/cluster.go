package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/web"
)

// clusterFlags make the program one of several that share the rooms out.
type clusterFlags struct {
	cluster, advertise string
	forget             time.Duration
}

func (f *clusterFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&f.cluster, "cluster", "", "`name` of a cluster: the playgrounds on one ZooKeeper that have it share the rooms out among themselves; give all the same -data, if any")
	flags.StringVar(&f.advertise, "advertise", "", "`host:port` by which the others of the cluster reach this one; port 0 is that of -addr")
	flags.DurationVar(&f.forget, "forget-rooms", 90*24*time.Hour, "how `long` a cluster keeps a room after its playground has ended if nothing happens in it; 0s means forever")
}

// clusterName is what a cluster may be called.
var clusterName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func (f *clusterFlags) check(b backendFlags, servers string) error {
	switch {
	case f.forget < 0:
		return fmt.Errorf("%w: -forget-rooms %s: a room is kept for no less than 0s", errUsage, f.forget)
	case f.cluster == "" && f.advertise == "":
		return nil
	case f.cluster == "" || f.advertise == "":
		return fmt.Errorf("%w: -cluster and -advertise go together, give both or none", errUsage)
	case !clusterName.MatchString(f.cluster):
		return fmt.Errorf("%w: -cluster %q: write it in small letters, digits and -, at most 64", errUsage, f.cluster)
	case !isAddress(f.advertise) && !strings.HasSuffix(f.advertise, ":0"):
		return fmt.Errorf("%w: -advertise %q: write it as host:port", errUsage, f.advertise)
	case b.zookeeper == "auto" && servers == "":
		return fmt.Errorf("%w: -cluster: name the ZooKeeper that all of them use, by -zookeeper or $ZK_SERVERS", errUsage)
	}
	return nil
}

// A membership is the program's part in a cluster. It begins with join; the rooms may be
// made before that, and not used. Nil is no part in any.
type membership struct {
	flags   clusterFlags
	joined  *cluster.Cluster
	scratch string // where runs are kept that nothing outlasts; empty if there is -data
}

func (f clusterFlags) membership() *membership {
	if f.cluster == "" {
		return nil
	}
	return &membership{flags: f}
}

// claims is room.Config.Claim.
func (m *membership) claims() func(context.Context, string) (room.Claim, error) {
	if m == nil {
		return nil
	}
	return func(ctx context.Context, name string) (room.Claim, error) {
		claim, err := m.joined.Claim(ctx, name)
		if err != nil {
			return nil, err // and not an interface that holds nil
		}
		return claim, nil
	}
}

// keepDir is room.Config.KeepDir: what the others have a room's file of needs a directory.
func (m *membership) keepDir(kept string) (string, error) {
	if m == nil || kept != "" {
		return kept, nil
	}
	var err error
	m.scratch, err = os.MkdirTemp("", "zkplayground-rooms-")
	return m.scratch, err
}

// join joins the cluster, whose ZooKeeper has answered, and tells the site.
func (m *membership) join(ctx context.Context, b *backend, site *web.Config, page net.Listener, f serveFlags) error {
	if m == nil {
		return nil
	}
	host, port, _ := net.SplitHostPort(f.advertise) // which check has seen
	if port == "0" {
		_, port, _ = net.SplitHostPort(page.Addr().String())
	}
	joining, cancel := context.WithTimeout(ctx, registerTimeout)
	defer cancel()
	scheme := "http://"
	if f.certificate != "" {
		scheme = "https://"
	}
	joined, err := cluster.Join(joining, cluster.Config{Servers: b.addresses, Base: base, Name: m.flags.cluster, Advertise: scheme + net.JoinHostPort(host, port), Log: site.Log})
	if err != nil {
		return err
	}
	m.joined, site.Cluster, site.Guarded = joined, joined, true
	site.AllowHosts = append(slices.Clone(site.AllowHosts), strings.ToLower(host)) // a proxy's health check asks by it
	if f.teacherToken == "" {
		site.TeacherToken = joined.Key("teacher")
	}
	site.Log.Info("cluster", "name", m.flags.cluster, "advertise", joined.Here())
	return nil
}

// forgetEvery is how often a replica looks for abandoned rooms.
const forgetEvery = time.Hour

// forget removes abandoned rooms until ctx ends.
func (m *membership) forget(ctx context.Context, rooms *room.Rooms, log *slog.Logger) {
	if m == nil || m.flags.forget == 0 {
		return
	}
	ticker := time.NewTicker(min(m.flags.forget, forgetEvery))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		abandoned, err := m.joined.Abandoned(ctx, time.Now().Add(-m.flags.forget))
		for _, name := range abandoned {
			if err := rooms.Forget(ctx, name); err != nil && !errors.Is(err, cluster.ErrOwned) && !errors.Is(err, room.ErrNoRoom) {
				log.Warn("an abandoned room was not removed", "room", name, "error", err)
				continue
			}
			log.Info("removed an abandoned room", "room", name, "for", m.flags.forget)
		}
		if err != nil && ctx.Err() == nil {
			log.Warn("cannot find abandoned rooms", "error", err)
		}
	}
}

// leave ends the membership; ctx bounds that.
func (m *membership) leave(ctx context.Context) error {
	if m == nil {
		return nil
	}
	var errs []error
	if m.joined != nil {
		errs = append(errs, m.joined.Close(ctx))
	}
	if m.scratch != "" {
		errs = append(errs, os.RemoveAll(m.scratch))
	}
	return errors.Join(errs...)
}
