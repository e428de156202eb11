package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/store/resp"
)

// schema: one row for each lock that is held. The version grows with every row, and
// no number comes twice, so it is a fence.
const schema = `CREATE TABLE locks (
	version INTEGER PRIMARY KEY AUTOINCREMENT,
	name    TEXT NOT NULL UNIQUE,
	holder  TEXT NOT NULL
)`

// holderColumn is where the holder stands in a row.
const holderColumn = 2

// A SQLite is the store of a lane whose lock is a row of a database in a file. It has
// the file to itself, and the file has no name: a program that is killed leaves nothing.
type SQLite struct {
	key     string
	ledger  *ledger
	db      *sql.DB
	life    context.Context // of the connections
	end     context.CancelFunc
	serving sync.WaitGroup

	mu      sync.Mutex // held for each statement
	conn    *sql.Conn
	pending []func() // what is to be recorded with the commit
}

var _ Store = (*SQLite)(nil)

// OpenSQLite makes a database.
func OpenSQLite(ctx context.Context, lane event.Lane, r Recorder) (*SQLite, error) {
	s := &SQLite{key: Key(lane), ledger: newLedger(lane, r)}
	s.life, s.end = context.WithCancel(context.Background())
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), s.Close(ctx))
	}
	return s, nil
}

func (s *SQLite) open(ctx context.Context) (err error) {
	// Without a name it is a temporary file, which SQLite deletes when it has opened it.
	if s.db, err = sql.Open("sqlite", ""); err != nil {
		return err
	}
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	if _, err := s.conn.ExecContext(ctx, schema); err != nil {
		return err
	}
	return s.conn.Raw(func(driver any) error {
		hooks, ok := driver.(sqlite.HookRegisterer)
		if !ok {
			return errors.New("this driver tells of no changes")
		}
		hooks.RegisterPreUpdateHook(s.changing)
		hooks.RegisterCommitHook(s.committed)
		return nil
	})
}

// changing notes a change of a row that is about to be made.
func (s *SQLite) changing(c sqlite.SQLitePreUpdateData) {
	row := make([]any, holderColumn+1)
	switch c.Op {
	case sqlite3.SQLITE_INSERT:
		if c.New(row...) == nil {
			s.pending = append(s.pending, func() { s.ledger.created(state{there: true, holder: text(row[holderColumn]), version: c.NewRowID}) })
		}
	case sqlite3.SQLITE_DELETE:
		s.pending = append(s.pending, func() { s.ledger.deleted(byClient) })
	}
}

// committed records what is committed now. No other statement runs meanwhile.
func (s *SQLite) committed() (refuse int32) {
	for _, record := range s.pending {
		record()
	}
	s.pending = nil
	return 0
}

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(value)
}

// DialContext connects a client.
func (s *SQLite) DialContext(context.Context, string, string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return nil, net.ErrClosed
	}
	client, server := net.Pipe()
	s.serving.Go(func() { s.serve(server) })
	return client, nil
}

// serve executes one client's statements, one after the other, until the
// connection ends. A statement that has been sent is done, whether or not the client
// still gets the answer.
func (s *SQLite) serve(conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(s.life, func() { conn.Close() })()
	framer := resp.NewFramer()
	buffer := make([]byte, 4<<10)
	for {
		n, err := conn.Read(buffer)
		var replies bytes.Buffer
		bad := framer.Feed(buffer[:n], func(frame []byte) { replies.WriteString(s.answer(frame)) })
		if replies.Len() > 0 {
			_, failed := conn.Write(replies.Bytes())
			err = errors.Join(err, failed)
		}
		if err != nil || bad != nil {
			return
		}
	}
}

// answer does one request and returns the reply.
func (s *SQLite) answer(frame []byte) string {
	request, _, err := resp.Parse(frame)
	if err != nil || len(request.Items) == 0 {
		return "-ERR no request\r\n"
	}
	words := make([]any, len(request.Items))
	for i, item := range request.Items {
		words[i] = item.Text
	}
	switch {
	case words[0] == "ping" || words[0] == "PING":
		return "+PONG\r\n"
	case words[0] == "hello" || words[0] == "HELLO":
		return "*2\r\n$6\r\nserver\r\n$6\r\nsqlite\r\n"
	case words[0] != resp.SQL || len(words) < 2:
		return "-ERR send SQL, a statement and its values\r\n"
	}
	reply, err := s.execute(request.Items[1].Text, words[2:])
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "$-1\r\n"
	case err != nil:
		return "-ERR " + strings.ReplaceAll(err.Error(), "\n", " ") + "\r\n"
	default:
		return ":" + strconv.FormatInt(reply, 10) + "\r\n"
	}
}

// execute does a statement, each in a transaction of its own, and returns one number:
// what a SELECT has found, the version that an INSERT has given, how many rows a DELETE
// has deleted.
func (s *SQLite) execute(statement string, values []any) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = nil // of a statement that failed
	ctx := context.Background()
	verb, _, _ := strings.Cut(statement, " ")
	if verb == "SELECT" {
		var found int64
		err := s.conn.QueryRowContext(ctx, statement, values...).Scan(&found)
		return found, err
	}
	result, err := s.conn.ExecContext(ctx, statement, values...)
	switch {
	case err != nil:
		return 0, err
	case verb == resp.Insert:
		return result.LastInsertId()
	default:
		return result.RowsAffected()
	}
}

// Run records again and again that the log is complete: each change is recorded as it is committed.
func (s *SQLite) Run(ctx context.Context) {
	for {
		s.sync()
		if !clock.Sleep(ctx, syncEvery) {
			return
		}
	}
}

func (s *SQLite) sync() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.synced(s.ledger.recorder.Now())
}

// Await returns at once: no change is missed.
func (s *SQLite) Await(context.Context) error { return nil }

// Sync records that the log is complete.
func (s *SQLite) Sync(context.Context) error {
	s.sync()
	return nil
}

// Delete deletes the row, whatever its holder.
func (s *SQLite) Delete(context.Context) (bool, error) {
	s.ledger.operated(true)
	n, err := s.execute("DELETE FROM locks WHERE name = ?", []any{s.key})
	s.ledger.operated(false)
	return n > 0, err
}

// Close ends the connections, and with them the database.
func (s *SQLite) Close(context.Context) error {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.serving.Wait()
	var errs []error
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(errs...)
}
