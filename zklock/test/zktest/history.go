package zktest

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The types of transactions, as ZooKeeper's ZooDefs.OpCode numbers them.
const (
	TxnCreate       = 1
	TxnDelete       = 2
	TxnSetData      = 5
	TxnCheck        = 13
	TxnMulti        = 14
	TxnCloseSession = -11
	txnError        = -1

	txnCreate2         = 15
	txnCreateContainer = 19
	txnDeleteContainer = 20
	txnCreateTTL       = 21
)

// A Txn is a transaction that a server has taken, as its log has it.
type Txn struct {
	Session, Zxid int64
	Changes       []Change // none of one that failed; several of a multi
}

// A Change is a part of one: TxnCreate, TxnDelete, TxnSetData, TxnCheck or
// TxnCloseSession. Others are left out.
type Change struct {
	Type      int32
	Path      string
	Ephemeral bool
}

// ErrGap is returned for a history in which a transaction is missing.
var ErrGap = errors.New("a transaction is missing")

// History is all that an ensemble has ever done, by the log of the server that leads it. Its
// log must be as old as the ensemble.
func (e *Ensemble) History(tb testing.TB) []Txn {
	tb.Helper()
	leader, err := e.Leader(tb.Context())
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	return ReadHistory(tb, filepath.Join(e.dir, fmt.Sprint(leader+1)))
}

// ReadHistory is what a server has done that keeps its data in a directory, as
// zkserver.Config.Dir names it.
func ReadHistory(tb testing.TB, dir string) []Txn {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "data", "version-2", "log.*"))
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	var all []Txn
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			all, err = readLog(all, text)
		}
		if err != nil {
			tb.Fatalf("zktest: %s: %v", file, err)
		}
	}
	slices.SortFunc(all, func(a, b Txn) int { return cmp.Compare(a.Zxid, b.Zxid) })
	all = slices.CompactFunc(all, func(a, b Txn) bool { return a.Zxid == b.Zxid })
	if err := whole(all); err != nil {
		tb.Fatal("zktest: ", err)
	}
	return all
}

// whole wants the numbers of each epoch to be consecutive.
func whole(all []Txn) error {
	for i, txn := range all {
		const counter = 1<<32 - 1
		if first := i == 0 || txn.Zxid>>32 != all[i-1].Zxid>>32; first && txn.Zxid&counter > 1 || !first && txn.Zxid != all[i-1].Zxid+1 {
			return fmt.Errorf("%w: before %#x", ErrGap, txn.Zxid)
		}
	}
	return nil
}

const (
	logHeader = 16 // the magic, the version and the database
	logMagic  = "ZKLG"
)

// readLog adds what a file has. The file ends where the server has written nothing yet.
func readLog(all []Txn, text []byte) ([]Txn, error) {
	if len(text) < logHeader || string(text[:len(logMagic)]) != logMagic {
		return nil, errors.New("no log of transactions")
	}
	for r := (record{text: text[logHeader:]}); ; {
		r.long() // the checksum
		entry := r.bytes()
		if r.short || len(entry) == 0 {
			return all, nil
		}
		r.take(1) // the end of the entry
		txn, err := readTxn(entry)
		if err != nil {
			return nil, err
		}
		all = append(all, txn)
	}
}

func readTxn(entry []byte) (Txn, error) {
	r := record{text: entry}
	txn := Txn{Session: r.long()}
	r.int() // the request's number
	txn.Zxid = r.long()
	r.long() // the time
	kind := r.int()
	if kind != TxnMulti {
		txn.add(kind, &r)
	} else {
		failed := false
		for range r.int() {
			part := r.int()
			failed = failed || part == txnError
			txn.add(part, &record{text: r.bytes()})
		}
		if failed { // then none of them took effect
			txn.Changes = nil
		}
	}
	if r.short {
		return txn, fmt.Errorf("transaction %#x has %d bytes, and lacks some", txn.Zxid, len(entry))
	}
	return txn, nil
}

// add adds the change of a kind that r begins with.
func (t *Txn) add(kind int32, r *record) {
	switch kind {
	case TxnCreate, txnCreate2:
		c := Change{Type: TxnCreate, Path: string(r.bytes())}
		r.bytes()
		for range r.int() { // who may do what
			r.int()
			r.bytes()
			r.bytes()
		}
		c.Ephemeral = r.take(1)[0] != 0
		t.Changes = append(t.Changes, c)
	case txnCreateContainer, txnCreateTTL:
		t.Changes = append(t.Changes, Change{Type: TxnCreate, Path: string(r.bytes())})
	case TxnDelete, txnDeleteContainer:
		t.Changes = append(t.Changes, Change{Type: TxnDelete, Path: string(r.bytes())})
	case TxnSetData, TxnCheck:
		t.Changes = append(t.Changes, Change{Type: kind, Path: string(r.bytes())})
	case TxnCloseSession:
		t.Changes = append(t.Changes, Change{Type: TxnCloseSession})
	}
}

// A record is read in ZooKeeper's serialization: big endian, with lengths in front.
type record struct {
	text  []byte
	short bool // it has ended too early
}

func (r *record) take(n int) []byte {
	if n > len(r.text) {
		r.short = true
		return make([]byte, min(n, 8))
	}
	taken := r.text[:n]
	r.text = r.text[n:]
	return taken
}

func (r *record) int() int32 { return int32(binary.BigEndian.Uint32(r.take(4))) }

func (r *record) long() int64 { return int64(binary.BigEndian.Uint64(r.take(8))) }

func (r *record) bytes() []byte {
	n := r.int()
	if r.short || n <= 0 { // -1 stands for none
		return nil
	}
	return r.take(int(n))
}
