package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
)

var (
	// errOver: a floor's contender waits for a turn that will not come, because
	// the match is over.
	errOver = errors.New("the match is over")
	// errExhausted: a contender has had all the turns that were laid ahead.
	errExhausted = errors.New("all turns laid ahead are used up")
)

// A contender is one session's part in a match. Its methods are called from
// one goroutine, in turn, except for close.
type contender interface {
	// acquire waits for the contender's turn. A contender of a floor returns
	// errOver when the match is over first.
	acquire(ctx context.Context) error
	// release ends the turn.
	release(ctx context.Context) error
	// close ends the session, and whatever waits in it. It is called once.
	close() error
}

// A recipe is a way of taking turns.
type recipe struct {
	name  string
	fixed bool // the order of the contenders is, so that none can come later
	// open connects the contenders of a match. The match has not begun before
	// it returns, so that what it does costs nothing.
	open func(ctx context.Context, a arena) ([]contender, error)
}

// An arena is where a match takes place.
type arena struct {
	address    string // of the server, host:port
	path       string // a znode of the match's own, which exists
	contenders int
	hold       time.Duration
	length     time.Duration   // of the match, warm-up included, its stands and laps not
	laps       int             // before its slices
	over       <-chan struct{} // closed when the match is over
}

// The names of the recipes.
const (
	chainName     = "chain"
	ringName      = "ring"
	mutexName     = "mutex"
	goZooKeeper   = "go-zookeeper"
	herdMutexName = "herd"
)

// recipes returns all that can be measured, floors first.
func recipes() []recipe {
	return []recipe{
		{chainName, true, openChain},
		{ringName, true, openRing},
		{mutexName, false, openMutex},
		{goZooKeeper, false, openGoZooKeeper},
		{herdMutexName, false, openHerd},
	}
}

func recipeNamed(name string) (recipe, error) {
	for _, r := range recipes() {
		if r.name == name {
			return r, nil
		}
	}
	if rest, ok := strings.CutPrefix(name, mutexName+"-"); ok {
		set, err := mechanism.Parse(rest)
		return recipe{name, false, openMutexWithout(set)}, err
	}
	return recipe{}, fmt.Errorf("no recipe %q, there are %s", name, names(recipes()))
}

func names(list []recipe) string {
	var all []string
	for _, r := range list {
		all = append(all, r.name)
	}
	return strings.Join(all, ",")
}
