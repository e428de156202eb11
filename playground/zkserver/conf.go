package zkserver

import (
	"fmt"
	"os"
	"path/filepath"
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
func (d *directory) writeConf(s settings) error {
	files := map[string]string{
		"zoo.cfg":          zooCfg(s),
		"log4j.properties": log4jProperties,
		"logback.xml":      logbackXML,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(d.conf(), name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("write the server's configuration: %w", err)
		}
	}
	return nil
}
