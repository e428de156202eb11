package wire

// A Stat is what the server keeps about a znode besides its data.
type Stat struct {
	Czxid          int64 // the transaction that created the znode
	Mzxid          int64 // the transaction that last changed its data
	Ctime, Mtime   int64 // the times of the two, in Unix milliseconds, by the server's clock
	Version        int32 // changes of the data
	Cversion       int32 // changes of the list of children
	Aversion       int32 // changes of the ACL
	EphemeralOwner int64 // the owning session of an ephemeral znode, else 0
	DataLength     int32 // in bytes
	NumChildren    int32
	Pzxid          int64 // the transaction that last changed the list of children
}

func (r *reader) stat() Stat {
	return Stat{
		Czxid: r.int64(), Mzxid: r.int64(),
		Ctime: r.int64(), Mtime: r.int64(),
		Version: r.int32(), Cversion: r.int32(), Aversion: r.int32(),
		EphemeralOwner: r.int64(),
		DataLength:     r.int32(), NumChildren: r.int32(),
		Pzxid: r.int64(),
	}
}

// statOf reads a Stat to hang on a frame.
func (r *reader) statOf() *Stat {
	s := r.stat()
	return &s
}
