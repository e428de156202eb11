package zktest

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// TestComposeFile: this is what the container of docker-compose.yml reads, but for the
// directories and the ports, and what `make test-39` runs with.
func TestComposeFile(t *testing.T) {
	environment, err := readCompose(filepath.Join("..", "..", "..", "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"conf/zoo.cfg": `dataDir=/data
dataLogDir=/datalog
tickTime=200
initLimit=5
syncLimit=2
autopurge.snapRetainCount=3
autopurge.purgeInterval=1
maxClientCnxns=0
standaloneEnabled=true
admin.enableServer=true
server.1=localhost:2888:3888;127.0.0.1:2181
4lw.commands.whitelist=*
minSessionTimeout=400
maxSessionTimeout=60000
extendedTypesEnabled=true
forceSync=no
admin.serverAddress=127.0.0.1
admin.serverPort=8080
`, "data/myid": "1\n"}
	if diff := cmp.Diff(want, entryPoint(environment, "/data", 2181, 8080)); diff != "" {
		t.Error(diff)
	}
}

// TestFetchedVersion: the ZooKeeper that is fetched for the tests is of the image's line.
func TestFetchedVersion(t *testing.T) {
	find := func(path, pattern string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no %s", path, pattern)
		}
		return string(found[1])
	}
	image := find(filepath.Join("..", "..", "..", "docker-compose.yml"), `image: zookeeper:(\S+)`)
	line := find(filepath.Join("..", "..", "..", "Makefile"), `ZOOKEEPER39 := \$\(ZOOKEEPERS\)/(\S+)`)
	fetched := find(filepath.Join("..", "versions", "pom.xml"), `<id>`+line+`</id>\s*<properties><zookeeper.version>(\S+)</zookeeper.version>`)
	if line != image || !strings.HasPrefix(fetched+".", image+".") {
		t.Errorf("the tests fetch %s of %s, the image is %s", fetched, line, image)
	}
}

// TestServerIsAsComposed: a server says that it is configured so, whichever ZooKeeper is
// installed; and with -compose it is that of the image.
func TestServerIsAsComposed(t *testing.T) {
	t.Parallel()
	file := *composeFile
	if file == "" {
		file = filepath.Join("..", "..", "..", "docker-compose.yml")
	}
	config, err := asComposedBy(file, zkserver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	server := StartOwn(t, config)
	if *composeFile != "" && !strings.HasPrefix(server.Managed().Version(), "3.9.") {
		t.Errorf("it is ZooKeeper %s: set ZOOKEEPER_HOME", server.Managed().Version())
	}
	says := tell(t, server.Address(), "conf")
	for _, line := range []string{"tickTime=200", "minSessionTimeout=400", "maxSessionTimeout=60000", "maxClientCnxns=0"} {
		if !strings.Contains("\n"+says, "\n"+line+"\n") {
			t.Errorf("no %s in:\n%s", line, says)
		}
	}
	response, err := http.Get("http://" + server.Managed().AdminAddress() + "/commands/stat")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	http.DefaultClient.CloseIdleConnections()
}

// tell asks a server with one of its four-letter words.
func tell(t *testing.T, address, word string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(word)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func TestComposeFileOfAnotherImage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "compose.yml")
	for _, text := range []string{"services: {zookeeper: {image: 'zookeeper:3.10'}}", "services: {}", ":"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readCompose(path); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
