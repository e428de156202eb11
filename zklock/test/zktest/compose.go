package zktest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// composeFile has every server of [Start] and [StartOwn] configured as that of a compose
// file, so that what passes here works there.
var composeFile = flag.String("compose", "", "`file` of docker compose: configure the servers of the tests as its service zookeeper")

// Composed reports whether the servers are configured as those of a compose file.
func Composed() bool { return *composeFile != "" }

// imageEnvironment is what the official image, zookeeper:3.9, sets before a compose file
// has its say; from its Dockerfile.
var imageEnvironment = map[string]string{
	"ZOO_TICK_TIME":                 "2000",
	"ZOO_INIT_LIMIT":                "5",
	"ZOO_SYNC_LIMIT":                "2",
	"ZOO_AUTOPURGE_PURGEINTERVAL":   "0",
	"ZOO_AUTOPURGE_SNAPRETAINCOUNT": "3",
	"ZOO_MAX_CLIENT_CNXNS":          "60",
	"ZOO_STANDALONE_ENABLED":        "true",
	"ZOO_ADMINSERVER_ENABLED":       "true",
}

// asComposed has a server configured as -compose wants it, if it is given.
func asComposed(config zkserver.Config) (zkserver.Config, error) {
	if !Composed() {
		return config, nil
	}
	return asComposedBy(*composeFile, config)
}

// asComposedBy has a server configured as a compose file has it.
func asComposedBy(path string, config zkserver.Config) (zkserver.Config, error) {
	environment, err := readCompose(path)
	if err != nil {
		return config, err
	}
	config.AdminServer = environment["ZOO_ADMINSERVER_ENABLED"] == "true"
	config.Conf = func(dataDir string, clientPort, adminPort int) map[string]string {
		return entryPoint(environment, dataDir, clientPort, adminPort)
	}
	return config, nil
}

// readCompose returns the environment of the service zookeeper, as its container sees it.
func readCompose(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("-compose: %w", err)
	}
	var file struct {
		Services map[string]struct {
			Image       string
			Environment map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("-compose %s: %w", path, err)
	}
	service := file.Services["zookeeper"]
	if !strings.HasPrefix(service.Image, "zookeeper:3.9") {
		return nil, fmt.Errorf("-compose %s: the image of zookeeper is %q: what its entry point does is not known here", path, service.Image)
	}
	environment := maps.Clone(imageEnvironment)
	maps.Copy(environment, service.Environment)
	return environment, nil
}

// entryPoint returns the files that the image's docker-entrypoint.sh makes of its
// environment, by their names in a server's directory:
//
//   - zoo.cfg has these settings in this order, each from its variable, whether or not
//     it is set: dataDir, dataLogDir, tickTime, initLimit, syncLimit,
//     autopurge.snapRetainCount, autopurge.purgeInterval, maxClientCnxns,
//     standaloneEnabled, admin.enableServer;
//   - then each word of ZOO_SERVERS as a line, by default
//     server.1=localhost:2888:3888;2181;
//   - then 4lw.commands.whitelist, if ZOO_4LW_COMMANDS_WHITELIST is set;
//   - then each word of ZOO_CFG_EXTRA as a line;
//   - myid holds ZOO_MY_ID, by default 1.
//
// What differs here: a server of a test has its own directory instead of /data and
// /datalog, and serves on loopback, on free ports instead of 2181 and 8080.
func entryPoint(environment map[string]string, dataDir string, clientPort, adminPort int) map[string]string {
	lines := []string{"dataDir=" + dataDir, "dataLogDir=" + dataDir + "log"}
	for _, setting := range [][2]string{
		{"tickTime", "ZOO_TICK_TIME"},
		{"initLimit", "ZOO_INIT_LIMIT"},
		{"syncLimit", "ZOO_SYNC_LIMIT"},
		{"autopurge.snapRetainCount", "ZOO_AUTOPURGE_SNAPRETAINCOUNT"},
		{"autopurge.purgeInterval", "ZOO_AUTOPURGE_PURGEINTERVAL"},
		{"maxClientCnxns", "ZOO_MAX_CLIENT_CNXNS"},
		{"standaloneEnabled", "ZOO_STANDALONE_ENABLED"},
		{"admin.enableServer", "ZOO_ADMINSERVER_ENABLED"},
	} {
		lines = append(lines, setting[0]+"="+environment[setting[1]])
	}
	if servers := environment["ZOO_SERVERS"]; servers != "" {
		lines = append(lines, strings.Fields(servers)...)
	} else {
		lines = append(lines, fmt.Sprintf("server.1=localhost:2888:3888;127.0.0.1:%d", clientPort))
	}
	if allowed := environment["ZOO_4LW_COMMANDS_WHITELIST"]; allowed != "" {
		lines = append(lines, "4lw.commands.whitelist="+allowed)
	}
	lines = append(lines, strings.Fields(environment["ZOO_CFG_EXTRA"])...)
	if adminPort != 0 {
		lines = append(lines, "admin.serverAddress=127.0.0.1", fmt.Sprintf("admin.serverPort=%d", adminPort))
	}
	id := environment["ZOO_MY_ID"]
	if id == "" {
		id = "1"
	}
	return map[string]string{
		filepath.Join("conf", "zoo.cfg"): strings.Join(lines, "\n") + "\n",
		filepath.Join("data", "myid"):    id + "\n",
	}
}
