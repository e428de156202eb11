package zkserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// writeConf writes what the server reads at boot. The id says which of an
// ensemble's servers it is; one that is alone has none.
func (d *directory) writeConf(s settings, id int) error {
	files := map[string]string{
		d.cfgFile(): zooCfg(s),
		filepath.Join(d.conf(), "log4j.properties"): log4jProperties,
		filepath.Join(d.conf(), "logback.xml"):      logbackXML,
	}
	if id != 0 {
		files[d.idFile()] = strconv.Itoa(id) + "\n"
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write the server's configuration: %w", err)
		}
	}
	return nil
}
