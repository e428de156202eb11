package interop

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// endTimeout is how long a child may take to end when its input has.
const endTimeout = 15 * time.Second

// A child is a program in another language that runs, and ends when its input
// does, so that it cannot outlive this process. One goroutine uses it.
type child struct {
	name   string
	cmd    *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
	errors bytes.Buffer
}

// startChild runs a program until finish. The end of ctx ends its input, and some
// time later the child itself. The name is for errors.
func startChild(ctx context.Context, name, program string, args ...string) (*child, error) {
	c := &child{name: name, cmd: exec.CommandContext(ctx, program, args...)}
	input, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.input, c.output = input, bufio.NewReader(output)
	c.cmd.Stderr = &c.errors
	c.cmd.Cancel = input.Close
	c.cmd.WaitDelay = endTimeout
	return c, c.cmd.Start()
}

// say writes a line to the child.
func (c *child) say(line string) error {
	_, err := fmt.Fprintln(c.input, line)
	return err
}

// hear returns the next line that the child writes.
func (c *child) hear() (string, error) {
	line, err := c.output.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s ended early: %w", c.name, err)
	}
	return line[:len(line)-1], nil
}

// expect waits for a line that the child has to write.
func (c *child) expect(want string) error {
	line, err := c.hear()
	if err == nil && line != want {
		err = fmt.Errorf("%s says %q, want %q", c.name, line, want)
	}
	return err
}

// finishAfter is finish when over is closed, or ctx ends, or the child has
// ended by itself. The child has nothing to say any more.
func (c *child) finishAfter(ctx context.Context, over <-chan struct{}) error {
	ended := make(chan error, 1)
	go func() {
		_, err := c.hear()
		ended <- err
	}()
	select {
	case <-over:
	case <-ctx.Done():
	case err := <-ended:
		return errors.Join(err, c.finish())
	}
	c.input.Close()
	<-ended
	return c.finish()
}

// finish ends the child's input and waits until the child has ended. It fails
// unless that was in order.
func (c *child) finish() error {
	c.input.Close() // it has been closed already if the child ended by itself
	rest, err := io.ReadAll(c.output)
	err = errors.Join(err, c.cmd.Wait())
	if err != nil {
		return fmt.Errorf("%s: %w\n%s%s", c.name, err, rest, &c.errors)
	}
	return nil
}
