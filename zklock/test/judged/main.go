// Command judged judges locks that others use by playground judge, and writes the tables of
// zklock's README:
//
//	go run ./zklock/test/judged -playground bin/playground
//
// What a lock is judged by is a program: a kit of the playground, as it is or changed in a
// few places, or one of the programs beside this file. Libraries are fetched by pip, npm,
// Maven and Go into a directory that is not part of the repository.
//
// A failing cell is written only with a note that says why it fails. Notes are made by hand,
// from the library's code and the run's recording, which is kept with the results.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/playground/judge"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("judged: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r runner
	flag.StringVar(&r.playground, "playground", "bin/playground", "the playground's `program`")
	flag.StringVar(&r.dir, "dir", "bin/judged", "`directory` for libraries, and for results")
	only := flag.String("only", "", "`names` of the locks to judge, with commas between; the others keep their last results")
	seeds := flag.Int("seeds", 1, "judge with so many seeds, from 1 on")
	readme := flag.String("readme", "zklock/README.md", "`file` to write the tables into")
	flag.Parse()
	if err := r.all(ctx, *only, *seeds, *readme); err != nil {
		log.Fatal(err)
	}
}

func (r runner) all(ctx context.Context, only string, seeds int, readme string) error {
	var err error
	if r.playground, err = filepath.Abs(r.playground); err != nil {
		return err
	}
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return err
	}
	for _, l := range locks {
		if only != "" && !slices.Contains(strings.Split(only, ","), l.name) {
			continue
		}
		for seed := 1; seed <= seeds; seed++ {
			if err := r.judge(ctx, l, seed); err != nil {
				return fmt.Errorf("judge %s: %w", l.name, err)
			}
		}
	}
	var judged []judgedLock
	for _, l := range locks {
		results, err := r.results(l, seeds)
		if err != nil {
			return fmt.Errorf("results of %s: %w", l.name, err)
		}
		judged = append(judged, judgedLock{l, results})
	}
	text, err := tables(judged)
	if err != nil {
		return err
	}
	return rewrite(readme, text)
}

// A runner judges locks.
type runner struct{ playground, dir string }

// judge fetches a lock if it is not there, and judges it.
func (r runner) judge(ctx context.Context, l lock, seed int) error {
	dir := filepath.Join(r.dir, l.name)
	if err := l.fetch(ctx, dir); err != nil {
		return err
	}
	args := []string{"judge", "-json", "-seed", strconv.Itoa(seed), "-report", r.result(l, seed)}
	if l.trial != "" {
		args = append(args, "-trial", l.trial)
	}
	args = append(args, "--", "sh", "-c", "cd '"+dir+"' && exec "+strings.ReplaceAll(l.command, "PLAYGROUND", r.playground))
	log.Printf("%s, seed %d", l.name, seed)
	command := exec.CommandContext(ctx, r.playground, args...)
	command.Stderr = os.Stderr
	said, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return err
	}
	return os.WriteFile(r.result(l, seed)+".json", said, 0o666)
}

func (r runner) result(l lock, seed int) string {
	return filepath.Join(r.dir, "results", fmt.Sprintf("%s-%d", l.name, seed))
}

// results are what the lock was judged to be last, by seed.
func (r runner) results(l lock, seeds int) ([]judge.Result, error) {
	var all []judge.Result
	for seed := 1; seed <= seeds; seed++ {
		text, err := os.ReadFile(r.result(l, seed) + ".json")
		if err != nil {
			return nil, err
		}
		var one judge.Result
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
