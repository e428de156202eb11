package zklock

import (
	"strings"
	"sync"
)

// A Token is the fence of an acquisition: the czxid of its znode, that is, the
// number of the transaction that put it into the queue. Of two acquisitions of
// one lock the later has the greater token, also when the lock directory has
// been deleted in between. A resource that remembers the greatest token it has
// seen, and refuses smaller ones, is safe from holders who do not know that
// they have lost their lock.
type Token int64

// tokens collects the transaction numbers of creates under way, by guid, as
// the connection sees them in the replies. go-zookeeper drops them.
type tokens struct {
	mu   sync.Mutex
	seen map[string]Token // 0 until the reply has passed
}

// during returns what create does, which makes the znode with guid, and its
// token, 0 where no reply has passed.
func (t *tokens) during(guid string, create func() (string, error)) (string, Token, error) {
	t.expect(guid)
	node, err := create()
	return node, t.take(guid), err
}

// expect says that the token of the create with guid will be wanted.
func (t *tokens) expect(guid string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = make(map[string]Token)
	}
	t.seen[guid] = 0
}

// put notes the token of the znode at path, if it was expected.
func (t *tokens) put(path string, token Token) {
	guid := guidOf(path[strings.LastIndexByte(path, '/')+1:])
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, expected := t.seen[guid]; expected {
		t.seen[guid] = token
	}
}

// take returns the token of the create with guid, 0 if no reply has passed,
// and forgets it.
func (t *tokens) take(guid string) Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	token := t.seen[guid]
	delete(t.seen, guid)
	return token
}
