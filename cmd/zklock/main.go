// Zklock runs a program under a lock in ZooKeeper, and looks at such locks. See README.md
// beside this file, or run `zklock help`.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/peterbourgon/ff/v3"

	"github.com/zkplayground/zkplayground/zklock"
)

// Linux kills the command with the thread that has started it, so that has to be the first
// one, which lives as long as the program.
func init() { runtime.LockOSThread() }

func main() { os.Exit(program{os.Stdout, os.Stderr}.main(os.Args[1:])) }

// Exit codes of zklock itself. They are those of timeout and env, where these have one;
// all others are COMMAND's.
const (
	exitProblem = 1   // doctor has found one
	exitLost    = 123 // the lock was lost
	exitHeld    = 124 // the lock was not to be had in time
	exitFailure = 125 // anything else
	exitCannot  = 126 // COMMAND cannot be started
	exitMissing = 127 // there is no COMMAND
	exitSignal  = 128 // and the number of the signal that has ended COMMAND, or the wait
)

// A program is what the commands need of the world.
type program struct{ stdout, stderr io.Writer }

const help = `zklock runs a program under a lock in ZooKeeper.

  zklock -lock PATH [FLAGS] -- COMMAND [ARGUMENT...]   run COMMAND while the lock is held
  zklock list [FLAGS] PATH                             say who holds the lock, and who waits
  zklock revoke [FLAGS] PATH                           ask who holds it to leave
  zklock doctor [FLAGS] PATH                           say what is wrong with the lock

-h lists the flags of each. A flag may also be a variable, as ZKLOCK_SERVERS.
`

func (p program) main(args []string) int {
	commands := map[string]func(*flags, context.Context, *zklock.Session) (int, error){"list": p.list, "revoke": p.revoke, "doctor": p.doctor}
	if len(args) == 0 || args[0] == "help" {
		fmt.Fprint(p.stdout, help)
		return 0
	}
	if args[0] == guardCommand {
		return beGuard()
	}
	f := newFlags(args[0])
	look := commands[args[0]]
	if look != nil {
		args = args[1:]
	} else {
		f.addRun()
	}
	code, err := exitFailure, f.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(p.stdout)
		fmt.Fprint(p.stdout, help, "\n")
		f.PrintDefaults()
		return 0
	case err != nil:
	case look != nil:
		code, err = f.look(look)
	default:
		code, err = p.run(f)
	}
	if err != nil {
		fmt.Fprintln(p.stderr, "zklock:", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "zklock: "), "\n", "; "))
	}
	return code
}

// flags are those of all commands.
type flags struct {
	*flag.FlagSet
	servers, auth, lock, data   string
	session, timeout, grace     time.Duration
	try, read, write, revocable bool
	limit                       int
}

func newFlags(name string) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.SetOutput(io.Discard)
	f.StringVar(&f.servers, "servers", "127.0.0.1:2181", "ZooKeeper's `addresses`, with commas between, and perhaps a chroot: a:2181,b:2181/app")
	f.StringVar(&f.auth, "auth", "", "`user:password` for digest authentication; a variable hides it from others")
	f.DurationVar(&f.session, "session", 10*time.Second, "session `timeout`: how long a lock stays taken by a client that is gone")
	f.DurationVar(&f.timeout, "timeout", 0, "how `long` to wait for the lock, or for an answer; 0 means no limit, and 10s for an answer")
	return f
}

// addRun adds the flags that running a command has.
func (f *flags) addRun() {
	f.StringVar(&f.lock, "lock", "", "`path` of the lock")
	f.BoolVar(&f.try, "try", false, "do not wait for another holder")
	f.BoolVar(&f.read, "read", false, "hold a read/write lock together with other readers")
	f.BoolVar(&f.write, "write", false, "hold a read/write lock alone")
	f.IntVar(&f.limit, "limit", 0, "how `many` may hold at once: the lock is a semaphore")
	f.DurationVar(&f.grace, "grace", 5*time.Second, "how `long` COMMAND may go on after the signal to end")
	f.BoolVar(&f.revocable, "revocable", false, "end COMMAND when somebody asks for the lock, by zklock revoke")
	f.StringVar(&f.data, "data", "", "`text` for those who list the lock; else host and process id")
}

// parse reads the flags and the environment.
func (f *flags) parse(args []string) error {
	if err := ff.Parse(f.FlagSet, args, ff.WithEnvVarPrefix("ZKLOCK")); err != nil {
		return err
	}
	kinds := 0
	for _, chosen := range []bool{f.read, f.write, f.limit != 0} {
		if chosen {
			kinds++
		}
	}
	switch running := f.Lookup("lock") != nil; {
	case running && f.lock == "":
		return errors.New("-lock is missing, see zklock help")
	case running && f.NArg() == 0:
		return errors.New("there is no COMMAND, see zklock help")
	case !running && f.NArg() != 1:
		return fmt.Errorf("%s takes one path, got %q", f.Name(), f.Args())
	case kinds > 1:
		return errors.New("only one of -read, -write and -limit goes")
	case f.limit < 0 || f.grace < 0 || f.timeout < 0:
		return errors.New("-limit, -grace and -timeout cannot be less than 0")
	default:
		return nil
	}
}

// dial opens the session.
func (f *flags) dial() (*zklock.Session, error) {
	var opts []zklock.DialOption
	if f.auth != "" {
		opts = append(opts, zklock.WithAuth("digest", []byte(f.auth)))
	}
	return zklock.Dial(strings.Split(f.servers, ","), f.session, opts...)
}

// options are those of the lock.
func (f *flags) options() []zklock.Option {
	data := f.data
	if data == "" {
		host, _ := os.Hostname() // none is no reason not to lock
		data = fmt.Sprintf("%s pid %d", host, os.Getpid())
	}
	opts := []zklock.Option{zklock.WithData([]byte(data)), zklock.WithOwnWatchDelay(0)}
	if f.auth != "" {
		opts = append(opts, zklock.WithACL(zk.AuthACL(zk.PermAll)))
	}
	return opts
}

// lookTimeout bounds a look at a lock, by default.
const lookTimeout = 10 * time.Second

// look runs a command that looks at a lock, in a session of its own.
func (f *flags) look(command func(*flags, context.Context, *zklock.Session) (int, error)) (int, error) {
	if f.timeout == 0 {
		f.timeout = lookTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.timeout)
	defer cancel()
	session, err := f.dial()
	if err != nil {
		return exitFailure, err
	}
	defer session.Close(ctx)
	defer context.AfterFunc(ctx, func() { session.Close(ctx) })() // ends what go-zookeeper waits for
	if err := session.WaitConnected(ctx); err != nil {
		return exitFailure, err
	}
	return command(f, ctx, session)
}
