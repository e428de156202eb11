package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

func TestErrorsInZkCliWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err        error
		path, want string
	}{
		{wire.NoNode, "/a", "Node does not exist: /a"},
		{fmt.Errorf("getData /a: %w", wire.NoNode), "/a", "Node does not exist: /a"},
		{wire.NodeExists, "/a", "Node already exists: /a"},
		{wire.NotEmpty, "/a", "Node not empty: /a"},
		{wire.NoChildrenForEphemerals, "/a/b", "Ephemerals cannot have children: /a/b"},
		{wire.NotReadOnly, "/a", "Not a read-only call: /a"},
		{wire.InvalidACL, "/a", "Acl is not valid : /a"},
		{wire.InvalidACL, "", "Acl is not valid : null"},
		{wire.NoAuth, "/a", "Insufficient permission : /a"},
		{wire.BadArguments, "/a", "Arguments are not valid : /a"},
		{wire.BadVersion, "/a", "version No is not valid : /a"},
		{wire.QuotaExceeded, "/a", "Quota has exceeded : /a"},
		{wire.Unimplemented, "/a", "KeeperErrorCode = Unimplemented for /a"},
		{wire.ConnectionLoss, "/a", "KeeperErrorCode = ConnectionLoss for /a"},
		{wire.SessionExpired, "/a", "KeeperErrorCode = Session expired for /a"},
		{wire.NoWatcher, "/a", "KeeperErrorCode = No such watcher for /a"},
		{wire.ReconfigDisabled, "", "KeeperErrorCode = Reconfig is disabled"},
		{wire.ReconfigInProgress, "", "Another reconfiguration is in progress -- concurrent reconfigs not supported (yet)"},
		{context.Canceled, "/a", "interrupted"},
	} {
		got := failed(test.err, test.path)
		if got.Error() != test.want || !errors.Is(got, test.err) {
			t.Errorf("%v of %q: %q, want %q", test.err, test.path, got, test.want)
		}
	}
	if failed(nil, "/a") != nil {
		t.Error("no error is one")
	}
}

func TestFormatStat(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	got := formatStat(wire.Stat{Czxid: 0x1ff, Mzxid: 2, Pzxid: -1, Ctime: 0, Mtime: 1700000000123, Version: 3, Cversion: -1,
		Aversion: 4, EphemeralOwner: -1 << 60, DataLength: 5, NumChildren: 6}, berlin)
	const want = "cZxid = 0x1ff\nctime = Thu Jan 01 01:00:00 CET 1970\nmZxid = 0x2\nmtime = Tue Nov 14 23:13:20 CET 2023\n" +
		"pZxid = 0xffffffffffffffff\ncversion = -1\ndataVersion = 3\naclVersion = 4\nephemeralOwner = 0xf000000000000000\n" +
		"dataLength = 5\nnumChildren = 6\n"
	if got != want {
		t.Errorf("formatStat = %q, want %q", got, want)
	}
}

func TestFormatData(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{"": "\n", "x\ny": "x\ny\n", "\xffa": "\uFFFDa\n"} {
		if got := formatData([]byte(data)); got != want {
			t.Errorf("formatData(%q) = %q, want %q", data, got, want)
		}
	}
	if got := formatData(nil); got != "null\n" {
		t.Errorf("formatData(nil) = %q", got)
	}
}

func TestFormatEvent(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Event{
		"\nWATCHER::\n\nWatchedEvent state:SyncConnected type:NodeCreated path:/a\n": {"SyncConnected", "NodeCreated", "/a"},
		"\nWATCHER::\n\nWatchedEvent state:Expired type:None path:null\n":            {State: "Expired", Type: "None"},
	} {
		if got := formatEvent(e); got != want {
			t.Errorf("%+v is %q, want %q", e, got, want)
		}
	}
}

func TestACL(t *testing.T) {
	t.Parallel()
	all := wire.PermAll
	for _, test := range []struct {
		text       string
		acl        []wire.ACL
		formatted  string
		complaints string
	}{
		{"world:anyone:cdrwa", []wire.ACL{{Perms: all, Scheme: "world", ID: "anyone"}}, "'world,'anyone\n: cdrwa\n", ""},
		{"digest:a:b:rr,ip:::1:", []wire.ACL{{Perms: wire.PermRead, Scheme: "digest", ID: "a:b"}, {Scheme: "ip", ID: "::1"}},
			"'digest,'a:b\n: r\n'ip,'::1\n: \n", ""},
		{"a:b:xc", []wire.ACL{{Perms: wire.PermCreate, Scheme: "a", ID: "b"}}, "'a,'b\n: c\n", "Unknown perm type: x"},
		{"a:b", nil, "", "a:b does not have the form scheme:id:perm"},
		{"", nil, "", " does not have the form scheme:id:perm"},
		{",a:b:r,,", []wire.ACL{{Perms: wire.PermRead, Scheme: "a", ID: "b"}}, "'a,'b\n: r\n", " does not have the form scheme:id:perm"},
	} {
		var complaints []string
		acl := parseACL(test.text, func(s string) { complaints = append(complaints, s) })
		var formatted string
		for _, one := range acl {
			formatted += formatACL(one)
		}
		if !slices.Equal(acl, test.acl) || formatted != test.formatted || strings.Join(complaints, ";") != test.complaints {
			t.Errorf("%q: %v, %q, %q", test.text, acl, formatted, complaints)
		}
	}
}

func TestQuotaText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "count=-1,bytes=-1",
		"count=4,bytes=0":                "count=4,bytes=0",
		"count=4,bytes=":                 "count=4,bytes=-1",
		"byteHardLimit=2;count=1":        "count=1,bytes=-1=;byteHardLimit=2",
		"count=1,bytes=2=;z=1;a=2,,;b=3": "count=1,bytes=2=;a=2;b=3;z=1",
	} {
		q, err := parseQuota(text)
		if err != nil || q.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, q, err, want)
		}
	}
	if _, err := parseQuota("count=x"); err == nil || err.Error() != `For input string: "x"` {
		t.Errorf("a quota of x: %v", err)
	}
}

func TestClientAddresses(t *testing.T) {
	t.Parallel()
	const config = "server.1=a:2888:3888:participant;0.0.0.0:2181\nserver.2=b:2888:3888:observer;b:2182\nserver.3=c:1:2\nversion=100000000"
	if got := clientAddresses([]byte(config)); got != "0.0.0.0:2181,b:2182 100000000" {
		t.Errorf("clientAddresses = %q", got)
	}
}

func TestDecodeInt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"0": "0", "12": "12", "-3": "-3", "+3": "3", "0x1f": "31", "#10": "16", "010": "8",
		"":    "Zero length string",
		"x":   `For input string: "x"`,
		"--3": "Sign character in wrong position",
		"-":   `For input string: "-"`,
	} {
		n, err := decodeInt(text)
		if got := fmt.Sprint(n); err == nil && got != want || err != nil && err.Error() != want {
			t.Errorf("decodeInt(%q) = %d, %v; want %s", text, n, err, want)
		}
	}
}
