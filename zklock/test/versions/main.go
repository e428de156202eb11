// Command versions runs the tests of zklock and of the playground on several releases of
// ZooKeeper, and prints what holds on which, as the table of zklock's README:
//
//	go run ./zklock/test/versions bin/zookeeper/3.5 bin/zookeeper/3.6
//
// An argument is a directory as ZOOKEEPER_HOME names it. What the tests say is kept in
// test-results/versions.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A suite is tests that one call of go test runs.
type suite struct {
	name  string
	minor int    // runs on ZooKeeper 3.minor and later
	below string // what is to be on earlier ones
	args  []string
}

// What there is below a suite's first release.
const (
	refused = "refused" // by the playground, when it starts
	notRun  = "-"
)

var suites = []suite{
	{"locks", 5, notRun, []string{"./zklock/test/locks", "-skip", "Edge"}},
	{"edge", 5, notRun, []string{"./zklock/test/locks", "-run", "Edge"}},
	{"tls", 5, notRun, []string{"./zklock/test/locks", "-secure", "tls"}},
	{"auth", 5, notRun, []string{"./zklock/test/locks", "-secure", "auth"}},
	{"chroot", 5, notRun, []string{"./zklock/test/locks", "-secure", "chroot"}},
	{"secure", 5, notRun, []string{"./zklock/test/locks", "-secure", "tls,auth,chroot"}},
	{"chaos", 5, notRun, []string{"./zklock/test/chaos", "-run", "TestChaos$", "-chaos", "1m"}},
	{"playground", 6, refused, []string{"./playground/observer", "./playground/run", "-skip", "TestSlowestLink"}},
	{"scenarios", 6, refused, []string{"./cmd/playground", "-run", "TestSite$"}},
	{"composed", 9, notRun,
		[]string{"./cmd/playground", "-run", "TestSite$", "-compose", "../../docker-compose.yml"}},
}

func main() {
	log.SetFlags(log.Ltime)
	only := flag.String("only", "", "`names` of the suites to run, with commas between; the rest is not run")
	results := flag.String("results", filepath.Join("test-results", "versions"), "`directory` for what the tests say")
	flag.Parse()
	chosen := slices.DeleteFunc(slices.Clone(suites), func(s suite) bool {
		return *only != "" && !slices.Contains(strings.Split(*only, ","), s.name)
	})
	if len(chosen) == 0 {
		log.Fatalf("-only %s: there is no such suite", *only)
	}
	if err := run(chosen, flag.Args(), *results); err != nil {
		log.Fatal(err)
	}
}

func run(chosen []suite, homes []string, results string) error {
	if err := os.MkdirAll(results, 0o777); err != nil {
		return err
	}
	rows := [][]string{{"ZooKeeper"}, {"---"}}
	for _, s := range chosen {
		rows[0], rows[1] = append(rows[0], s.name), append(rows[1], "---")
	}
	var failed []error
	for _, home := range homes {
		version, err := versionIn(home)
		if err != nil {
			return err
		}
		row := []string{version}
		for _, s := range chosen {
			began := time.Now()
			cell, err := s.on(home, version, filepath.Join(results, version+" "+s.name+".log"))
			log.Printf("%s, %s: %s, after %v", version, s.name, cell, time.Since(began).Round(time.Second))
			if err != nil {
				failed = append(failed, fmt.Errorf("%s, %s: %w", version, s.name, err))
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		fmt.Printf("| %s |\n", strings.Join(row, " | "))
	}
	return errors.Join(failed...)
}

// versionIn is the release in a directory, by the name of its jar.
func versionIn(home string) (string, error) {
	jars, err := filepath.Glob(filepath.Join(home, "lib", "zookeeper-[0-9]*.jar"))
	if err != nil || len(jars) != 1 {
		return "", fmt.Errorf("%s/lib has %d jars of ZooKeeper, want 1: %w", home, len(jars), err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(jars[0]), "zookeeper-"), ".jar"), nil
}

// on runs the suite on a release, and returns the table's cell.
func (s suite) on(home, version, results string) (cell string, err error) {
	older := zkserver.Older(version, 3, s.minor)
	if older && s.below == notRun {
		return notRun, nil
	}
	file, err := os.Create(results)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if home, err = filepath.Abs(home); err != nil {
		return "", err
	}
	args := append([]string{"test", "-json", "-count=1", "-vet=off", "-timeout=40m"}, s.args...)
	if older {
		args = []string{"run", "./cmd/playground", "run", "-for", "1s", "predecessor"}
	}
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), "ZOOKEEPER_HOME="+home, "ZK_SERVERS=")
	command.Stderr = file
	output, err := command.Output()
	if older {
		return isRefused(results)
	}
	read, readErr := read(bytes.NewReader(output), file)
	if err = cmp.Or(readErr, err); err != nil {
		return "failed: " + strings.Join(read.failed, ", "), fmt.Errorf("see %s: %w", results, err)
	}
	return fmt.Sprintf("%d passed", read.passed), nil
}

// isRefused sees to it that the playground has said why it does not start.
func isRefused(results string) (string, error) {
	said, err := os.ReadFile(results)
	if err == nil && !bytes.Contains(said, []byte("is too old")) {
		err = fmt.Errorf("the playground says %q", said)
	}
	if err != nil {
		return "failed: not refused", err
	}
	return refused, nil
}

// An outcome is that of tests, without those that are part of another.
type outcome struct {
	passed int
	failed []string // tests, and packages that failed by themselves
}

// read reads what go test -json says, and writes the tests' own output.
func read(r io.Reader, output io.Writer) (outcome, error) {
	var o outcome
	for decoder := json.NewDecoder(r); ; {
		var line struct{ Action, Package, Test, Output string }
		if err := decoder.Decode(&line); err == io.EOF {
			return o, nil
		} else if err != nil {
			return o, err
		}
		if _, err := io.WriteString(output, line.Output); err != nil {
			return o, err
		}
		switch whole := !strings.Contains(line.Test, "/"); {
		case line.Action == "pass" && whole && line.Test != "":
			o.passed++
		case line.Action == "fail" && whole && (line.Test != "" || len(o.failed) == 0):
			o.failed = append(o.failed, cmp.Or(line.Test, line.Package))
		}
	}
}
