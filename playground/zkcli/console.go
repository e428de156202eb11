package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Stream is the kind of a text, for a program that shows errors and events otherwise.
type Stream int

// The streams. zkCli.sh writes Out and Watch to its standard output, Err to its
// standard error.
const (
	Out Stream = iota
	Err
	Watch
)

// MaxLine is how many bytes a line may have. A znode takes no more than 1 MiB anyway.
const MaxLine = 1 << 20

// Config is what a console needs.
type Config struct {
	// Server is where it connects to at its start, and the name in its prompt.
	Server string
	// Connect begins a session with a server; it does not wait until that is
	// connected. The events of the session go to onEvent.
	Connect func(server string, onEvent func(Event)) (*Client, error)
	// Output takes what the console says, one text at a time; most are whole lines.
	Output func(stream Stream, text string)
	// Refuse, unless it is nil, is called before each command; what it returns is the
	// answer, in the place of the command's own. Empty lets the command run.
	Refuse func(args []string) string
	// Unknown, unless it is nil, answers a word that is no command, in the place of
	// zkCli's usage and error: with what it says, or by itself.
	Unknown func(args []string) string
	// Zone is that of the times shown; nil is the machine's.
	Zone *time.Location
}

// A Console runs commands. One goroutine at a time may use it; events come at any
// time.
type Console struct {
	config Config
	exit   int
	// history has the lines that were done; a redo has what it did again.
	history lineHistory
	args    []string // the last command, which a line without a word does again
	// recursive is the mode of the last addWatch that named one: zkCli keeps it.
	recursive bool

	session *Client
	server  string

	mu           sync.Mutex // of the output, too
	printWatches bool
	current      int // the number of the session whose events are shown
}

// New makes a console, which begins to connect.
func New(config Config) (*Console, error) {
	if config.Zone == nil {
		config.Zone = time.Local
	}
	c := &Console{config: config, recursive: true, printWatches: true}
	if err := c.connect(config.Server); err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends the session.
func (c *Console) Close(ctx context.Context) error {
	if err := c.session.Close(ctx); err != nil {
		return fmt.Errorf("close the session: %w", err)
	}
	return nil
}

// ExitCode is what zkCli would end with now: the last command's.
func (c *Console) ExitCode() int { return c.exit }

// Prompt is what stands in front of the next line.
func (c *Console) Prompt() string {
	return fmt.Sprintf("[zk: %s(%s) %d] ", c.server, c.session.State(), c.history.count())
}

// Execute does a line, and says whether it was the last: quit. An empty line is none.
func (c *Console) Execute(ctx context.Context, line string) (quit bool) {
	if line == "" {
		return false
	}
	if len(line) > MaxLine {
		c.exit = exitFailure
		c.err(fmt.Sprintf("a line of %d bytes is too long, %d is the limit\n", len(line), MaxLine))
		return false
	}
	if tokens := Tokens(line); len(tokens) > 0 {
		c.args = tokens
	}
	number := c.history.count()
	c.history.add(line)
	return c.process(ctx, number)
}

// Run does a command that is in words already, as on the command line of a program.
// It has no place in the history.
func (c *Console) Run(ctx context.Context, args []string) (quit bool) {
	c.args = slices.Clone(args)
	return c.process(ctx, c.history.count())
}

// process does the command in c.args, of the line with the number.
func (c *Console) process(ctx context.Context, number int) (quit bool) {
	quit, err := c.command(ctx, number)
	if quit {
		return true
	}
	c.exit = exitOK
	var f failure
	switch {
	case errors.As(err, &f):
		c.exit = f.exit
		c.err(f.text + "\n")
	case err != nil:
		c.exit = exitFailure
		c.err(reason(err) + "\n")
	}
	return false
}

func (c *Console) command(ctx context.Context, number int) (quit bool, err error) {
	if len(c.args) == 0 {
		return false, nil // zkCli ends here, with a NullPointerException
	}
	name := c.args[0]
	command, known := find(name)
	if !known && c.config.Unknown != nil {
		return false, said(c.config.Unknown(slices.Clone(c.args)))
	}
	if !known {
		c.err(usage())
		return false, failure{exit: exitNotFound, text: "Command not found: Command not found " + name}
	}
	if c.config.Refuse != nil {
		if err := said(c.config.Refuse(slices.Clone(c.args))); err != nil {
			return false, err
		}
	}
	if command.own != nil {
		if quit, err = command.own(ctx, c, number); quit || err != nil {
			return quit, err
		}
	}
	if !c.session.State().Alive() {
		c.out("Not connected\n")
		return false, nil
	}
	if command.do == nil {
		return false, nil
	}
	return false, command.run(ctx, c)
}

// said is the answer of Refuse or Unknown as an error, nil if it is empty.
func said(answer string) error {
	if answer == "" {
		return nil
	}
	return wrong(answer)
}

func printWatches(_ context.Context, c *Console, _ int) (bool, error) {
	c.mu.Lock()
	if len(c.args) > 1 {
		c.printWatches = c.args[1] == "on"
		c.mu.Unlock()
		return false, nil
	}
	on := c.printWatches
	c.mu.Unlock()
	c.out("printwatches is " + map[bool]string{true: "on", false: "off"}[on] + "\n")
	return false, nil
}

func connect(ctx context.Context, c *Console, _ int) (bool, error) {
	server := c.server
	if len(c.args) > 1 {
		server = c.args[1]
	}
	if c.session.State().Alive() {
		if err := c.session.Close(ctx); err != nil {
			return false, fmt.Errorf("close the session: %w", err)
		}
	}
	return false, c.connect(server)
}

func quit(ctx context.Context, c *Console, _ int) (bool, error) {
	_ = c.session.Close(ctx) // what could not be closed ends by its timeout
	return true, nil
}

// connect begins a session. The events of the one before are not shown any more.
func (c *Console) connect(server string) error {
	c.mu.Lock()
	c.current++
	number := c.current
	c.mu.Unlock()
	session, err := c.config.Connect(server, func(e Event) { c.happened(number, e) })
	if err != nil {
		return err
	}
	c.session, c.server = session, server
	return nil
}

// happened shows an event, if events are shown.
func (c *Console) happened(session int, e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.printWatches && session == c.current {
		c.config.Output(Watch, formatEvent(e))
	}
}

func (c *Console) out(text string) { c.write(Out, text) }

func (c *Console) err(text string) { c.write(Err, text) }

// answer writes what a command found, and the Stat that came with it if that is wanted.
func (c *Console) answer(text string, stat wire.Stat, p parsed) {
	if p.has("s") {
		text += formatStat(stat, c.config.Zone)
	}
	c.out(text)
}

func (c *Console) write(stream Stream, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.config.Output(stream, text)
}

// numberFormat is the message of Java's exception for what is no number.
func numberFormat(text string) error { return wrong(`For input string: "` + text + `"`) }

// parseInt reads a number as Java does. What is none ends zkCli.
func parseInt(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, numberFormat(text)
	}
	return int32(n), nil
}

// decodeInt is parseInt for a number that may be hexadecimal or octal.
func decodeInt(text string) (int, error) {
	if text == "" {
		return 0, wrong("Zero length string")
	}
	digits, sign := strings.TrimLeft(text, "+-"), text[:1]
	if len(text)-len(digits) > 1 {
		return 0, wrong("Sign character in wrong position")
	}
	base := 10
	for prefix, b := range map[string]int{"0x": 16, "0X": 16, "#": 16} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			digits, base = rest, b
		}
	}
	if base == 10 && len(digits) > 1 && digits[0] == '0' {
		digits, base = digits[1:], 8
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil {
		return 0, numberFormat(text)
	}
	if sign == "-" {
		n = -n
	}
	return int(n), nil
}

// errSyncTimeout is Java's exception, as zkCli shows it: without a message.
var errSyncTimeout = errors.New("null")

// syncLimit is how long zkCli waits for a sync.
const syncLimit = 30 * time.Second
