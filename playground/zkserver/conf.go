package zkserver

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/zkplayground/zkplayground/playground/internal/child"
)

// The logger's configuration. Which one is read depends on the release: log4j
// up to 3.7 and on Debian, logback since 3.8. Both send warnings to stderr.
const (
	log4jProperties = `log4j.rootLogger=WARN, stderr
log4j.appender.stderr=org.apache.log4j.ConsoleAppender
log4j.appender.stderr.target=System.err
log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
log4j.appender.stderr.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} %m%n
`
	logbackXML = `<configuration>
  <appender name="stderr" class="ch.qos.logback.core.ConsoleAppender">
    <target>System.err</target>
    <encoder><pattern>%date %-5level %logger{0} %message%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="stderr"/></root>
</configuration>
`
)

// writeConf writes what the server reads at boot.
func (s *Server) writeConf() error {
	d := s.dir
	files := map[string]string{
		d.cfgFile(): zooCfg(s.settings()),
		filepath.Join(d.conf(), "log4j.properties"): log4jProperties,
		filepath.Join(d.conf(), "logback.xml"):      logbackXML,
	}
	if s.id != 0 { // one that is alone has none
		files[d.idFile()] = strconv.Itoa(s.id) + "\n"
	}
	if s.config.Conf != nil {
		for name, text := range s.config.Conf(d.data(), s.clientPort, s.adminPort) {
			files[filepath.Join(d.path, name)] = text
		}
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write the server's configuration: %w", err)
		}
	}
	return nil
}

// A settings is what one server's zoo.cfg says.
type settings struct {
	dataDir                string
	clientPort, adminPort  int // adminPort 0: no admin server
	tick                   time.Duration
	minSession, maxSession time.Duration
	superPassword          string
	peers                  []peer // empty: standalone
	lines                  []string
}

// A peer is one server of an ensemble, by the ports on which it meets the others.
type peer struct {
	id                       int
	quorumPort, electionPort int
}

// zooCfg writes settings in the syntax of Java properties.
func zooCfg(s settings) string {
	var b strings.Builder
	line := func(key string, value any) { fmt.Fprintf(&b, "%s=%v\n", key, value) }
	line("dataDir", escapeProperty(s.dataDir))
	line("clientPortAddress", child.Loopback)
	line("clientPort", s.clientPort)
	line("tickTime", s.tick.Milliseconds())
	line("minSessionTimeout", s.minSession.Milliseconds())
	line("maxSessionTimeout", s.maxSession.Milliseconds())
	writeFixed(line)
	if s.superPassword != "" {
		line("DigestAuthenticationProvider.superDigest", superDigest(s.superPassword))
	}
	writeAdmin(line, s.adminPort)
	writePeers(line, s.peers)
	for _, more := range s.lines {
		fmt.Fprintln(&b, more)
	}
	return b.String()
}

// writeFixed writes what every server of ours has in common: many clients from
// one address, nothing worth an fsync, small files, old ones thrown away.
func writeFixed(line func(string, any)) {
	line("maxClientCnxns", 0)
	line("forceSync", "no")
	line("preAllocSize", 1024)
	line("snapCount", 100000)
	line("autopurge.snapRetainCount", 3)
	line("autopurge.purgeInterval", 1)
	line("extendedTypesEnabled", true)
	line("4lw.commands.whitelist", "*")
}

// superDigest is what a server knows of the superuser's password.
func superDigest(password string) string {
	sum := sha1.Sum([]byte("super:" + password))
	return "super:" + base64.StdEncoding.EncodeToString(sum[:])
}

func writeAdmin(line func(string, any), port int) {
	line("admin.enableServer", port != 0)
	if port != 0 {
		line("admin.serverAddress", child.Loopback)
		line("admin.serverPort", port)
	}
}

// writePeers gives an ensemble limits that are long in ticks, as ticks are short.
func writePeers(line func(string, any), peers []peer) {
	if len(peers) == 0 {
		return
	}
	line("standaloneEnabled", false)
	line("initLimit", 100)
	line("syncLimit", 50)
	line("cnxTimeout", 500)
	for _, p := range peers {
		line(fmt.Sprintf("server.%d", p.id), fmt.Sprintf("%s:%d:%d", child.Loopback, p.quorumPort, p.electionPort))
	}
}

// escapeProperty writes a path so that Java reads back the same: a backslash
// would escape, and bytes beyond ASCII are read as Latin-1.
func escapeProperty(value string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(value)) {
		switch {
		case unit == '\\':
			b.WriteString(`\\`)
		case unit < 0x80:
			b.WriteByte(byte(unit))
		default:
			fmt.Fprintf(&b, `\u%04X`, unit)
		}
	}
	return b.String()
}
