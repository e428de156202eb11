package zkcli

import (
	"context"
	"slices"
	"strings"
)

// A command is one of zkCli's.
type command struct {
	name, args string // as the usage has them
	options    options
	words      int // how many words it needs, itself included
	// own is what is done without a session, and before it is looked at.
	own func(ctx context.Context, c *Console, number int) (quit bool, err error)
	// do is what is done in the session.
	do func(ctx context.Context, c *Console, k command, p parsed) error
	// plain: the line is not taken apart.
	plain bool
	// path: the second word is a path, which is checked first, and errors are about it.
	path bool
	// former says how "name path watch" is written now, of which the third word becomes
	// -w, whatever it was.
	former string
}

// usage is how the command says what it takes.
func (k command) usage() string { return k.name + " " + k.args }

// run takes the line apart and does it.
func (k command) run(ctx context.Context, c *Console) error {
	p := parsed{args: c.args}
	if !k.plain {
		var err error
		if p, err = k.options.parse(c.args); err != nil {
			return err
		}
	}
	if p.has("?") {
		c.out(lsHelp)
	}
	if len(p.args) < k.words {
		return wrong(k.usage())
	}
	if k.former != "" && len(p.args) > 2 {
		c.err("'" + k.name + " path [watch]' has been deprecated. Please use '" + k.former + "' instead.\n")
		args := slices.Clone(c.args)
		args[2] = "-w"
		var err error
		if p, err = k.options.parse(args); err != nil {
			return err
		}
	}
	if !k.path {
		return k.do(ctx, c, k, p)
	}
	if err := checkPath(p.args[1]); err != nil {
		return err
	}
	return failed(k.do(ctx, c, k, p), p.args[1])
}

func flags(names ...string) []option {
	var list []option
	for _, name := range names {
		list = append(list, option{name: name})
	}
	return list
}

func value(name string) option { return option{name: name, value: true} }

// commands are all that there are.
func commands() []command {
	return slices.Concat(ownCommands(), readCommands(), writeCommands(), accessCommands(), watchCommands(), quotaCommands(), serverCommands())
}

// ownCommands are those that need no session.
func ownCommands() []command {
	return []command{
		{name: "connect", args: "host:port", own: connect},
		{name: "history", own: history},
		{name: "printwatches", args: "on|off", own: printWatches},
		{name: "quit", own: quit},
		{name: "redo", args: "cmdno", own: redo},
	}
}

func find(name string) (command, bool) {
	list := commands()
	i := slices.IndexFunc(list, func(k command) bool { return k.name == name })
	if i < 0 {
		return command{}, false
	}
	return list[i], true
}

// Commands are the names of all commands, sorted.
func Commands() []string {
	var names []string
	for _, k := range commands() {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// Usage is how a command says what it takes, empty for a word that is none.
func Usage(name string) string {
	k, known := find(name)
	if !known {
		return ""
	}
	return strings.TrimSpace(k.usage())
}

// usage is the list of all commands, which zkCli prints for one that it does not know.
func usage() string {
	var lines []string
	for _, k := range commands() {
		lines = append(lines, "\t"+k.usage()+"\n")
	}
	slices.Sort(lines)
	return "ZooKeeper -server host:port -client-configuration properties-file cmd args\n" + strings.Join(lines, "")
}

// Complete says what the last word of a line can go on as: what stands from the byte
// start on may be replaced by each of the candidates, which are sorted. As in zkCli a
// word that begins with a slash is a path, whose znodes the server lists, and any
// other is a command.
func (c *Console) Complete(ctx context.Context, line string) (start int, candidates []string) {
	start = strings.LastIndexByte(line, ' ') + 1
	word := line[start:]
	if !strings.HasPrefix(word, "/") {
		return start, startingWith(Commands(), word)
	}
	slash := strings.LastIndexByte(word, '/')
	parent := word[:max(slash, 1)]
	if checkPath(parent) != nil || !c.session.State().Alive() {
		return len(line), nil
	}
	children, _, err := c.session.Children(ctx, parent, false)
	if err != nil {
		return len(line), nil
	}
	slices.Sort(children)
	return start + slash + 1, startingWith(children, word[slash+1:])
}

func startingWith(list []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.HasPrefix(s, prefix) })
}
