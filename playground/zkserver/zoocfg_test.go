package zkserver

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var standalone = settings{
	dataDir: "/data", clientPort: 2181, tick: 100 * time.Millisecond,
	minSession: 200 * time.Millisecond, maxSession: time.Minute,
}

const standaloneCfg = `dataDir=/data
clientPortAddress=127.0.0.1
clientPort=2181
tickTime=100
minSessionTimeout=200
maxSessionTimeout=60000
maxClientCnxns=0
forceSync=no
preAllocSize=1024
snapCount=100000
autopurge.snapRetainCount=3
autopurge.purgeInterval=1
extendedTypesEnabled=true
4lw.commands.whitelist=*
`

const ensembleCfg = `standaloneEnabled=false
initLimit=100
syncLimit=50
cnxTimeout=500
server.1=127.0.0.1:2888:3888
server.2=127.0.0.1:2889:3889
`

func TestZooCfg(t *testing.T) {
	admin, ensemble, more := standalone, standalone, standalone
	admin.adminPort = 8081
	more.lines = []string{"a=b", "c=d"}
	ensemble.peers = []peer{{1, 2888, 3888}, {2, 2889, 3889}}
	const off = "admin.enableServer=false\n"
	tests := []struct {
		name     string
		settings settings
		want     string
	}{
		{"standalone", standalone, standaloneCfg + off},
		{"admin server", admin, standaloneCfg + "admin.enableServer=true\nadmin.serverAddress=127.0.0.1\nadmin.serverPort=8081\n"},
		{"further lines", more, standaloneCfg + off + "a=b\nc=d\n"},
		{"ensemble", ensemble, standaloneCfg + off + ensembleCfg},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, zooCfg(test.settings)); diff != "" {
				t.Errorf("zoo.cfg (-want +got):\n%s", diff)
			}
		})
	}
}

// unescape reads a value as java.util.Properties does.
func unescape(t *testing.T, value string) string {
	t.Helper()
	var units []uint16
	for i := 0; i < len(value); i++ {
		switch {
		case value[i] != '\\':
			units = append(units, uint16(value[i]))
		case value[i+1] == 'u':
			unit, err := strconv.ParseUint(value[i+2:i+6], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			units, i = append(units, uint16(unit)), i+5
		default:
			units, i = append(units, uint16(value[i+1])), i+1
		}
	}
	return string(utf16.Decode(units))
}

func FuzzEscapeProperty(f *testing.F) {
	for _, path := range []string{"/tmp/a b", `C:\zk`, "/home/jürgen/数据", "/😀", `\u0041`} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !utf8.ValidString(path) {
			t.Skip("not text")
		}
		escaped := escapeProperty(path)
		if strings.ContainsFunc(escaped, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("beyond ASCII: %q", escaped)
		}
		if got := unescape(t, escaped); got != path {
			t.Errorf("%q is read back as %q", path, got)
		}
	})
}
