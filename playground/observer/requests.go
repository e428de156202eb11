package observer

import "slices"

// A request is a create or a delete that has left for the server, beyond recall.
type request struct {
	identity
	session string // that an ephemeral znode is made with
	flags   string // of a create
	zxid    int64  // the transaction that did it, 0 until that is answered
}

// requests are the creates, or the deletes, that the observer has not told of, by path and
// oldest first. A client may ask for the same again before that: so there may be one of
// it that has been answered, and one that has not.
type requests map[string][]request

// left adds one. The same once more, if the one before has no answer, takes its place.
func (r requests) left(made request, path string) {
	r.takeBack(made.identity, path)
	r[path] = append(r[path], made)
}

// takeBack drops a client's request that has no answer.
func (r requests) takeBack(who identity, path string) {
	r.drop(path, r.unanswered(who, path))
}

// answered notes the transaction that did what a client asked for.
func (r requests) answered(who identity, path string, zxid int64) {
	if i := r.unanswered(who, path); i >= 0 {
		r[path][i].zxid = zxid
	}
}

// synced drops those that have been told of by now, or never will be: the observer was
// away when they were done.
func (r requests) synced(zxid int64) {
	for path, all := range r {
		left := slices.DeleteFunc(all, func(one request) bool { return one.zxid != 0 && one.zxid <= zxid })
		if r[path] = left; len(left) == 0 {
			delete(r, path)
		}
	}
}

// firstAnswered is the index of the one that was done first, -1 if none has an answer.
func (r requests) firstAnswered(path string) int {
	first := -1
	for i, one := range r[path] {
		if one.zxid != 0 && (first < 0 || one.zxid < r[path][first].zxid) {
			first = i
		}
	}
	return first
}

// of is the index of a client's oldest one, -1 if there is none.
func (r requests) of(who identity, path string) int {
	return slices.IndexFunc(r[path], func(one request) bool { return one.identity == who })
}

func (r requests) unanswered(who identity, path string) int {
	return slices.IndexFunc(r[path], func(one request) bool { return one.identity == who && one.zxid == 0 })
}

// drop removes the one of an index, unless that is negative.
func (r requests) drop(path string, i int) {
	if i < 0 {
		return
	}
	if r[path] = slices.Delete(r[path], i, i+1); len(r[path]) == 0 {
		delete(r, path)
	}
}
