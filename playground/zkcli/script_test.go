package zkcli_test

import "slices"

// A scriptLine is a line for both programs.
type scriptLine struct {
	text string
	// event is one that the line causes and a sync cannot be waited for: the session
	// is over, or another one has begun.
	event string
	// differs says why the two do not answer the same.
	differs string
}

func lines(texts ...string) []scriptLine {
	var all []scriptLine
	for _, text := range texts {
		all = append(all, scriptLine{text: text})
	}
	return all
}

// The events of a session that ends.
const (
	closed     = "WatchedEvent state:Closed type:None path:null"
	authFailed = "WatchedEvent state:AuthFailed type:None path:null"
)

// script is what both programs are told, in this order: later lines meet what earlier
// ones have made.
var script = slices.Concat(wordsLines, optionsLines, pathsLines, createLines, aclLines, readLines, writeLines, watchesLines, quotasLines, serverLines, sessionLines)

var wordsLines = lines(
	"help", "foo bar", "history", "ls", "ls /", `"ls" /`, " ls /", "   ", "\tls\t/", "ls  /  ", "'",
	`"ls`, `ls "/"`, "ls '/'", `ls "/ab"c`, `ls /"a"`, `ls /x"y z`, `""`, "'a b'", "redo", "redo 0",
	"redo 1", "redo 999", "redo 0x1", "redo 010", "redo -1", "redo 3",
)

var optionsLines = lines(
	"ls -?", "ls -x /", "ls -s /", "ls -ws /", "ls -sw /", "ls -sx /", "ls -- -s", "ls -s -- /",
	"ls --s /", "ls -s=3 /", "ls -w=", "ls -", "ls --", "ls / w", "ls -s / w", "ls / -s w", "set -v",
	"set -v -s", "set /a b -v", "set -v -- /a b", "create -t", "create -t -s", "delete -v 1",
)

var pathsLines = lines(
	"ls nope", `ls ""`, "ls /a/", "ls /a//b", "ls /a/../b", "ls /a/./b", "ls /..", "ls /a/...",
	"ls /\x01", "ls /é", "ls /…/日本", "ls /a\u0085", "ls /😀", "ls /nope",
)

var createLines = lines(
	"create", "create /a", "create /a hello", "create /a/b/c x", "create -e /e1 eph",
	"create -e /e1/x", "create -s /s", "create -e -s /s- d", "create -es /s- d", "create -se /t- ",
	"create -s /", "create -s /a/", "create -c /c1", "create -c -s /c2", "create -c -e /c2",
	"create -t 100000 /t1", "create -t abc /t2", "create -t /t2", "create -t 100 -e /t2",
	"create -t 100 -c /t2", "create -t 0 /t2", "create -t -5 /t2", "create -t100000 /t2",
	"create -t=100000 /t3", `create -t "100000" /t4`, `create -t"100000" /t5`,
	"create -t 100000 -s /t6-", "create -t 1099511627776 /t7", "create -t 5 -t 6 /t8/x",
	"create -v /t1", "create x", `create ""`, `create -s ""`, "create /", `create /sp "two words"`,
	`create /sq 'it "is"' `, `create /empty ""`, "create /umlaut äöü", `create /q a"b`,
)

var aclLines = lines(
	"create /acl x world:anyone:r", "create /acl2 x world:anyone", "create /acl3 x world:anyone:rq",
	"create /acl4 x digest:a:b:cdrwa", "create /acl5 x foo:bar:r", "create /acl6 x auth::cdrwa",
	`create /acl7 x ""`, "create /acl8 x ,", "create /acl9 x :a:b:c",
	"create /acl0 x world:anyone:r,ip:127.0.0.1:w", "getAcl", "getAcl /", "getAcl -s /acl",
	"getAcl /nope", "getAcl /acl4", "getAcl /acl0", "getAcl nope", "get /acl4", "set /acl x",
	"create /acl/x", "delete /acl", "setAcl", "setAcl /acl3", "setAcl /acl3 world:anyone:r",
	"create /w", "setAcl /w world:anyone:cdrwa", "setAcl -s /w world:anyone:cdrwa",
	"setAcl -v 0 /w world:anyone:r", "setAcl -v 2 /w world:anyone:cdrwa", "setAcl /w foo:bar:r",
	"setAcl /w ip:127.0.0.1:cdrwa", `setAcl /w ""`, "setAcl /w world:anyone",
	"setAcl w world:anyone:r", "setAcl /nope world:anyone:r", "create /r", "create /r/x",
	"create /r/x/y", "create /r/z", "setAcl -R /r world:anyone:cdrwa",
	"setAcl -R -v 0 /r world:anyone:cdrwa", `setAcl -R /r ""`, "setAcl -R /nope world:anyone:r",
	"whoami", "whoami x", "addauth", "addauth digest me:x", "whoami", "create /mine x auth::cdrwa",
	"getAcl /mine", "get /mine", "setAcl /mine auth:x:r", "set /mine y",
)

var readLines = lines(
	"get", "get /nope", "get -w /nope", "get /a", "get /a w", "get /empty", "get -s /sp",
	"get -ws /sp", "get /umlaut", "get -s", "get nope", "stat", "stat /sp", "stat -w /sp",
	"stat /nope", "stat -w /nope", "stat /sp w", "stat -s /sp", "ls -s /", "ls -R /", "ls -R -w /r",
	"ls -R /nope", "ls -R nope", "ls -R -s /r", "ls -w -s /", "getEphemerals", "getEphemerals /",
	"create -e /e9", "create -e /e8", "getEphemerals /e9", "getEphemerals /nope",
	"getEphemerals nope", "getEphemerals -x", "getAllChildrenNumber", "getAllChildrenNumber /",
	"getAllChildrenNumber /r", "getAllChildrenNumber /nope", "getAllChildrenNumber /r/", "sync",
	"sync /nope", "sync nope",
)

var writeLines = lines(
	"set", "set /sp", "set /sp y", "set -v 2 /sp z", "set -v 77 /sp z", "set -s /sp z",
	"set /sp z extra", "set /nope x", "set nope x", "delete", "delete /nope", "delete -v 99 /sp",
	"delete /e1/x", "delete /r", "delete /", "delete /sp 3", "delete nope", "deleteall",
	"deleteall /nope", "deleteall nope", "deleteall -b x /r", "deleteall -b 2 /r", "rmr /a",
	"create /d", "create /d/a", "create /d/a/b", "create /d/c", "deleteall -b 0 /d", "deleteall /a",
	"deleteall /",
)

var watchesLines = lines(
	"create /n", "create /n/x", "create /n/z", "addWatch", "addWatch /n",
	"addWatch -m persistent /n/x", "addWatch -m foo /n/x", "addWatch -m", "addWatch /a b",
	"set /n/x 2", "create /n/x/k", "set /n/x/k 3", "delete /n/x/k", "addWatch /n/p", "create /n/p",
	"create /n/p/q", "delete /n/p/q", "delete /n/p", "addWatch -m PERSISTENT_RECURSIVE /q",
	"create /q", "create /q/r", "delete /q/r", "removewatches", "removewatches /nope",
	"removewatches nope", "removewatches /n -c", "removewatches /n", "removewatches /n/x -p",
	"removewatches /n/x", "get -w /n/z", "ls -w /n/z", "stat -w /n/zz", "removewatches /n/z -d",
	"removewatches /n/z -d", "removewatches /n/z -l", "removewatches /n/z -l",
	"removewatches /n/zz -c -d", "removewatches /n/zz -a", "get -w /n/z", "ls -w /n/z",
	"stat -w /n/zz", "create /n/z/1", "set /n/z 1", "set /n/z 2", "create /n/zz", "set /n/zz 3",
	"get -w /n/z", "ls -w /n", "delete /n/z/1", "delete /n/z", "ls -w /n/zz", "delete /n/zz",
	"create /n/zz", "printwatches", "printwatches off", "printwatches", "get -w /n/zz", "set /n/zz 1",
	"printwatches on foo", "printwatches ON", "printwatches on", "printwatches", "get -w /n/zz",
	"set /n/zz 2",
)

var quotasLines = lines(
	"create /k", "create /k/x", "create /k/y", "setquota", "setquota /k", "setquota -n 3",
	"setquota -n 2 /k", "setquota -n 3 /k", "setquota -n 3 -b 4 /k", "setquota -n 3 /nope",
	"setquota -n 3 k", "setquota -n 0 /k", "setquota -n -1 /k", "setquota -b -1 /k",
	"setquota -n abc /k", `setquota -b "" /k`, "setquota -n 99999999999 /k", "setquota -N 2 /k",
	"setquota -B 2 /k", "setquota -b 0 /k", "setquota -n 2 /k/x", "setquota -n 3 /",
	"setquota -n 3 /zookeeper/quota", "listquota", "listquota /", "listquota /k", "listquota /nope",
	"listquota nope", "delquota", "delquota /nope", "delquota nope", "delquota /", "delquota -n /k",
	"listquota /k", "delquota -n -b /k", "delquota -B /k", "delquota -N /k", "listquota /k",
	"delquota /k x", "listquota /k", "delquota /k", "listquota /k", "delquota /k", "create /k/x/deep",
	"setquota -n 9 /k/x/deep", "setquota -n 9 /k", "delquota /k/x/deep", "ls -R /zookeeper",
)

var serverLines = []scriptLine{
	{text: "version", differs: "the program names itself"},
	{text: "version x"},
	{text: "version -x"},
	{text: "config"},
	{text: "config -s"},
	{text: "config -c"},
	{text: "config x"},
	{text: "config -w"},
	{text: "reconfig"},
	{text: "reconfig -add 1"},
	{text: "reconfig -remove 1 -s"},
	{text: "reconfig -members 1"},
	{text: "reconfig -v zz -add 1"},
	{text: "reconfig -add 1 -members 2"},
	{text: "reconfig -members 2 -file x"},
	{text: "reconfig -file /nope", differs: "files are not read"},
	{text: "history"},
	{text: "redo 2"},
	{text: "history x"},
}

var sessionLines = []scriptLine{
	{text: "create -e /gone"},
	{text: "close x", event: closed},
	{text: "ls /"},
	{text: "whoami"},
	{text: "printwatches"},
	{text: "history"},
	{text: "foo"},
	{text: "connect"},
	{text: "ls /"},
	{text: "connect", event: closed},
	{text: "addauth foo bar", event: authFailed},
	{text: "ls /"},
	{text: "close"},
	{text: "connect "},
	{text: "whoami"},
	{text: "addauth digest", event: authFailed},
	{text: "connect"},
	{text: "ls /"},
	{text: "history"},
}
