package starlark

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-zookeeper/zk"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// module is zk, for the calls of a host.
func (h *host) module() *starlarkstruct.Module {
	m := &starlarkstruct.Module{Name: "zk", Members: starlark.StringDict{
		"EPHEMERAL": starlark.MakeInt(zk.FlagEphemeral), "SEQUENCE": starlark.MakeInt(zk.FlagSequence),
		"lock": starlark.String(h.path), "client": starlark.MakeInt(h.number),
	}}
	for name, call := range map[string]call{
		"create": h.create, "delete": h.delete, "get": h.get, "set": h.set, "exists": h.exists, "children": h.children,
		"get_w": h.getW, "exists_w": h.existsW, "children_w": h.childrenW, "multi": h.multi,
		"wait": h.wait, "sleep": h.sleep, "remaining": h.remaining, "session": h.session,
	} {
		m.Members[name] = starlark.NewBuiltin("zk."+name, h.guarded(call))
	}
	m.Members["attempt"] = starlark.NewBuiltin("zk.attempt", attempt)
	return m
}

// A call is one of zk, with its arguments still to be unpacked.
type call func(unpack func(pairs ...any) error) (starlark.Value, error)

// missing are the errors that calls answer by None or False.
func missing(err error) bool {
	return errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNodeExists)
}

// answer is v, None for what is missing, or an error.
func answer(v starlark.Value, err error) (starlark.Value, error) {
	switch {
	case err == nil:
		return v, nil
	case missing(err):
		return starlark.None, nil
	default:
		return nil, failed(err)
	}
}

func statOf(s *zk.Stat) starlark.Value {
	if s == nil {
		return starlark.None
	}
	return starlarkstruct.FromStringDict(starlark.String("stat"), starlark.StringDict{
		"czxid": starlark.MakeInt64(s.Czxid), "mzxid": starlark.MakeInt64(s.Mzxid), "version": starlark.MakeInt(int(s.Version)),
		"ephemeral_owner": starlark.MakeInt64(s.EphemeralOwner), "num_children": starlark.MakeInt(int(s.NumChildren)),
	})
}

func namesOf(names []string) starlark.Value {
	var list []starlark.Value
	for _, name := range names {
		list = append(list, starlark.String(name))
	}
	return starlark.NewList(list)
}

func (h *host) create(unpack func(...any) error) (starlark.Value, error) {
	var path, data string
	var flags int
	if err := unpack("path", &path, "data?", &data, "flags?", &flags); err != nil {
		return nil, err
	}
	if h.znodes >= maxZnodes {
		return nil, fmt.Errorf("zk.create: more than %d znodes that it has not deleted", maxZnodes)
	}
	made, err := h.conn.Create(path, []byte(data), int32(flags), zk.WorldACL(zk.PermAll))
	if err == nil {
		h.znodes++
	}
	return answer(starlark.String(made), err)
}

func (h *host) delete(unpack func(...any) error) (starlark.Value, error) {
	path, version := "", -1
	if err := unpack("path", &path, "version?", &version); err != nil {
		return nil, err
	}
	err := h.conn.Delete(path, int32(version))
	if err != nil && !missing(err) {
		return nil, failed(err)
	}
	if err == nil {
		h.znodes--
	}
	return starlark.Bool(err == nil), nil
}

func (h *host) set(unpack func(...any) error) (starlark.Value, error) {
	path, data, version := "", "", -1
	if err := unpack("path", &path, "data", &data, "version?", &version); err != nil {
		return nil, err
	}
	stat, err := h.conn.Set(path, []byte(data), int32(version))
	return answer(statOf(stat), err)
}

func (h *host) get(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	data, stat, err := h.conn.Get(path)
	return answer(starlark.Tuple{starlark.String(data), statOf(stat)}, err)
}

func (h *host) getW(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	data, stat, events, err := h.conn.GetW(path)
	return watched(starlark.Tuple{starlark.String(data), statOf(stat)}, events, err)
}

func (h *host) exists(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	there, stat, err := h.conn.Exists(path)
	if !there {
		stat = nil
	}
	return answer(statOf(stat), err)
}

func (h *host) existsW(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	there, stat, events, err := h.conn.ExistsW(path)
	if !there {
		stat = nil
	}
	return watched(statOf(stat), events, err)
}

func (h *host) children(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	names, _, err := h.conn.Children(path)
	return answer(namesOf(names), err)
}

func (h *host) childrenW(unpack func(...any) error) (starlark.Value, error) {
	var path string
	if err := unpack("path", &path); err != nil {
		return nil, err
	}
	names, _, events, err := h.conn.ChildrenW(path)
	return watched(namesOf(names), events, err)
}

func (h *host) multi(unpack func(...any) error) (starlark.Value, error) {
	var ops *starlark.List
	if err := unpack("ops", &ops); err != nil {
		return nil, err
	}
	var all []any
	for op := range ops.Elements() {
		parsed, err := parseOp(op)
		if err != nil {
			return nil, err
		}
		all = append(all, parsed)
	}
	if h.znodes += len(all); h.znodes >= maxZnodes { // as if it created only, and is not asked often
		return nil, fmt.Errorf("zk.multi: more than %d znodes that it has not deleted", maxZnodes)
	}
	answers, err := h.conn.Multi(all...)
	h.znodes -= len(all)
	var paths []string
	for _, a := range answers {
		if a.String != "" {
			h.znodes++
			paths = append(paths, a.String)
		}
	}
	return answer(namesOf(paths), err)
}

func parseOp(v starlark.Value) (any, error) {
	parts, ok := v.(starlark.Tuple)
	if !ok || len(parts) == 0 {
		return nil, fmt.Errorf("zk.multi: want tuples such as (\"delete\", path), got %s", v.Type())
	}
	var path, data string
	number := -1
	var err error
	kind, _ := starlark.AsString(parts[0])
	switch kind {
	case "create", "set":
		if kind == "create" {
			number = 0
		}
		err = starlark.UnpackPositionalArgs(kind, parts[1:], nil, 1, &path, &data, &number)
	case "delete", "check":
		err = starlark.UnpackPositionalArgs(kind, parts[1:], nil, 1, &path, &number)
	default:
		err = fmt.Errorf("zk.multi: there are create, set, delete and check, got %s", parts[0])
	}
	switch kind {
	case "create":
		return &zk.CreateRequest{Path: path, Data: []byte(data), Acl: zk.WorldACL(zk.PermAll), Flags: int32(number)}, err
	case "set":
		return &zk.SetDataRequest{Path: path, Data: []byte(data), Version: int32(number)}, err
	case "check":
		return &zk.CheckVersionRequest{Path: path, Version: int32(number)}, err
	default:
		return &zk.DeleteRequest{Path: path, Version: int32(number)}, err
	}
}

// A watch is what a call left at the server.
type watch struct{ events <-chan zk.Event }

func (watch) String() string        { return "watch" }
func (watch) Type() string          { return "watch" }
func (watch) Freeze()               {}
func (watch) Truth() starlark.Bool  { return true }
func (watch) Hash() (uint32, error) { return 0, errors.New("a watch cannot be a key") }

func watched(v starlark.Value, events <-chan zk.Event, err error) (starlark.Value, error) {
	v, err = answer(v, err)
	if err != nil {
		return nil, err
	}
	if events == nil {
		return starlark.Tuple{v, starlark.None}, nil
	}
	return starlark.Tuple{v, watch{events}}, nil
}

// happened are the names of what a watch tells. Any other is the end of the session.
var happened = map[zk.EventType]string{
	zk.EventNodeCreated: "created", zk.EventNodeDeleted: "deleted",
	zk.EventNodeDataChanged: "changed", zk.EventNodeChildrenChanged: "children",
}

func (h *host) wait(unpack func(...any) error) (starlark.Value, error) {
	var on starlark.Value
	var millis starlark.Value = starlark.None
	if err := unpack("watch", &on, "ms?", &millis); err != nil {
		return nil, err
	}
	w, ok := on.(watch)
	if !ok {
		return nil, fmt.Errorf("zk.wait: want a watch, got %s: there is none at a znode that is missing, unless by exists_w", on.Type())
	}
	after, stop := timeout(millis)
	defer stop()
	select {
	case e := <-w.events:
		name := happened[e.Type]
		if name == "" {
			name = "session"
		}
		return starlark.String(name), nil
	case <-after:
		return starlark.None, nil
	case <-h.ctx.Done():
		return nil, failed(zk.ErrClosing)
	}
}

// timeout is a timer of so many milliseconds. Without a number it never fires.
func timeout(millis starlark.Value) (after <-chan time.Time, stop func() bool) {
	ms, ok := starlark.AsFloat(millis)
	if !ok {
		return nil, func() bool { return true }
	}
	timer := time.NewTimer(time.Duration(ms * float64(time.Millisecond)))
	return timer.C, timer.Stop
}

func (h *host) sleep(unpack func(...any) error) (starlark.Value, error) {
	var millis starlark.Value
	if err := unpack("ms", &millis); err != nil {
		return nil, err
	}
	after, stop := timeout(millis)
	defer stop()
	select {
	case <-after:
		return starlark.None, nil
	case <-h.ctx.Done():
		return nil, failed(zk.ErrClosing)
	}
}

func (h *host) remaining(unpack func(...any) error) (starlark.Value, error) {
	if err := unpack(); err != nil {
		return nil, err
	}
	if h.deadline.IsZero() {
		return starlark.None, nil
	}
	return starlark.MakeInt64(max(time.Until(h.deadline).Milliseconds(), 0)), nil
}

func (h *host) session(unpack func(...any) error) (starlark.Value, error) {
	if err := unpack(); err != nil {
		return nil, err
	}
	return starlark.String("0x" + strconv.FormatInt(h.conn.SessionID(), 16)), nil
}
