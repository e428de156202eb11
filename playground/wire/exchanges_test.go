package wire_test

import "github.com/zkplayground/zkplayground/playground/event"

// exchanges is a conversation that uses every operation.
func exchanges() []exchange {
	var all []exchange
	for _, some := range [][]exchange{creates(), reads(), writes(), multis(), watches(), others(), deletes()} {
		all = append(all, some...)
	}
	return all
}

func creates() []exchange {
	return []exchange{
		{create, []any{"~/a", "data", openACL{}, 0},
			seen{Op: "create", Path: "~/a"}, seen{Op: "create", Path: "~/a"}},
		{create, []any{"~/a", "data", openACL{}, 1},
			seen{Op: "create", Path: "~/a", Flags: "ephemeral"}, seen{Op: "create", Path: "~/a", Err: "NodeExists"}},
		{create, []any{"~/a/s-", "", openACL{}, 3},
			seen{Op: "create", Path: "~/a/s-", Flags: "ephemeral+sequential"}, seen{Op: "create", Path: "~/a/s-0000000000"}},
		{create2, []any{"~/a/s-", "", openACL{}, 2},
			seen{Op: "create", Path: "~/a/s-", Flags: "sequential"}, seen{Op: "create", Path: "~/a/s-0000000001", Stat: true}},
		{createContainer, []any{"~/c", "", openACL{}, 4},
			seen{Op: "create", Path: "~/c", Flags: "container"}, seen{Op: "create", Path: "~/c", Stat: true}},
		{createTTL, []any{"~/t", "", openACL{}, 5, int64(600_000)},
			seen{Op: "create", Path: "~/t", Flags: "ttl"}, seen{Op: "create", Path: "~/t", Stat: true}},
		{createTTL, []any{"~/t-", "", openACL{}, 6, int64(600_000)},
			seen{Op: "create", Path: "~/t-", Flags: "sequential+ttl"}, seen{Op: "create", Path: "~/t-0000000003", Stat: true}},
	}
}

func reads() []exchange {
	return []exchange{
		{exists, []any{"~/a", false}, seen{Op: "exists", Path: "~/a"}, seen{Op: "exists", Path: "~/a", Stat: true}},
		{exists, []any{"~/none", true},
			seen{Op: "exists", Path: "~/none", Watch: true}, seen{Op: "exists", Path: "~/none", Watch: true, Err: "NoNode"}},
		{getData, []any{"~/a", true},
			seen{Op: "getData", Path: "~/a", Watch: true}, seen{Op: "getData", Path: "~/a", Watch: true, Stat: true}},
		{getData, []any{"~/none", true},
			seen{Op: "getData", Path: "~/none", Watch: true}, seen{Op: "getData", Path: "~/none", Err: "NoNode"}},
		{getChildren, []any{"~/a", false},
			seen{Op: "getChildren", Path: "~/a"}, seen{Op: "getChildren", Path: "~/a", Children: 2}},
		{getChildren2, []any{"~/a", true},
			seen{Op: "getChildren", Path: "~/a", Watch: true}, seen{Op: "getChildren", Path: "~/a", Watch: true, Children: 2, Stat: true}},
		{getAllChildrenNumber, []any{"~"},
			seen{Op: "getAllChildrenNumber", Path: "~"}, seen{Op: "getAllChildrenNumber", Path: "~", Children: 6}},
		{getEphemerals, []any{"~"}, seen{Op: "getEphemerals", Path: "~"}, seen{Op: "getEphemerals", Path: "~"}},
		{getACL, []any{"~/a"}, seen{Op: "getACL", Path: "~/a"}, seen{Op: "getACL", Path: "~/a", Stat: true}},
		{sync, []any{"~/a"}, seen{Op: "sync", Path: "~/a"}, seen{Op: "sync", Path: "~/a"}},
	}
}

func writes() []exchange {
	return []exchange{
		{setData, []any{"~/a", "new", -1}, seen{Op: "setData", Path: "~/a"}, seen{Op: "setData", Path: "~/a", Stat: true}},
		{setData, []any{"~/a", "new", 77}, seen{Op: "setData", Path: "~/a"}, seen{Op: "setData", Path: "~/a", Err: "BadVersion"}},
		{setACL, []any{"~/c", openACL{}, -1}, seen{Op: "setACL", Path: "~/c"}, seen{Op: "setACL", Path: "~/c", Stat: true}},
	}
}

func multis() []exchange {
	fine := join(part(check, "~/a", -1), part(create, "~/m", "", openACL{}, 0), part(create2, "~/m2", "", openACL{}, 0),
		part(createContainer, "~/m3", "", openACL{}, 4), part(setData, "~/m", "x", -1), part(remove, "~/m2", -1))
	asked := []event.SubOp{{Op: "check", Path: "~/a"}, {Op: "create", Path: "~/m"}, {Op: "create", Path: "~/m2"},
		{Op: "create", Path: "~/m3", Flags: "container"}, {Op: "setData", Path: "~/m"}, {Op: "delete", Path: "~/m2"}}
	done := []event.SubOp{{Op: "check", Path: "~/a"}, {Op: "create", Path: "~/m"}, {Op: "create", Path: "~/m2"},
		{Op: "create", Path: "~/m3"}, {Op: "setData", Path: "~/m"}, {Op: "delete", Path: "~/m2"}}
	failing := join(part(check, "~/a", -1), part(remove, "~/none", -1), part(remove, "~/m", -1))
	parts := []event.SubOp{{Op: "check", Path: "~/a"}, {Op: "delete", Path: "~/none"}, {Op: "delete", Path: "~/m"}}
	failed := []event.SubOp{{Op: "check", Path: "~/a", Err: "RolledBack"}, {Op: "delete", Path: "~/none", Err: "NoNode"},
		{Op: "delete", Path: "~/m", Err: "RuntimeInconsistency"}}
	reading := join(part(getData, "~/a", false), part(getChildren, "~/none", false))
	read := []event.SubOp{{Op: "getData", Path: "~/a"}, {Op: "getChildren", Path: "~/none"}}
	found := []event.SubOp{{Op: "getData", Path: "~/a"}, {Op: "getChildren", Path: "~/none", Err: "NoNode"}}
	return []exchange{
		{multi, fine, seen{Op: "multi", Ops: asked}, seen{Op: "multi", Ops: done}},
		{multi, failing, seen{Op: "multi", Ops: parts}, seen{Op: "multi", Err: "NoNode", Ops: failed}},
		{multiRead, reading, seen{Op: "multiRead", Ops: read}, seen{Op: "multiRead", Ops: found}},
		{multi, join(), seen{Op: "multi"}, seen{Op: "multi"}},
	}
}

func watches() []exchange {
	set := []event.SubOp{{Op: "getData", Path: "~/a"}, {Op: "exists", Path: "~/no"}, {Op: "getChildren", Path: "~/a"}}
	set2 := append(set, event.SubOp{Op: "addWatch", Path: "~/a", Flags: "persistent"}, event.SubOp{Op: "addWatch", Path: "~", Flags: "recursive"})
	const afterAll = int64(1) << 60 // so that nothing seems to have been missed
	return []exchange{
		{addWatch, []any{"~/p", 0}, seen{Op: "addWatch", Path: "~/p", Watch: true}, seen{Op: "addWatch", Path: "~/p", Watch: true}},
		{setWatches, []any{afterAll, []string{"~/a"}, []string{"~/no"}, []string{"~/a"}},
			seen{Op: "setWatches", Ops: set}, seen{Op: "setWatches"}},
		{setWatches2, []any{afterAll, []string{"~/a"}, []string{"~/no"}, []string{"~/a"}, []string{"~/a"}, []string{"~"}},
			seen{Op: "setWatches", Ops: set2}, seen{Op: "setWatches"}},
		{checkWatches, []any{"~/a", 2}, seen{Op: "checkWatches", Path: "~/a"}, seen{Op: "checkWatches", Path: "~/a"}},
		{removeWatches, []any{"~/q", 3}, seen{Op: "removeWatches", Path: "~/q"}, seen{Op: "removeWatches", Path: "~/q", Err: "NoWatcher"}},
	}
}

func others() []exchange {
	return []exchange{
		{addAuth, []any{0, "digest", "user:secret"}, seen{Op: "auth"}, seen{Op: "auth"}},
		{whoAmI, nil, seen{Op: "whoAmI"}, seen{Op: "whoAmI"}},
		{reconfig, []any{"", "", "", int64(-1)}, seen{Op: "reconfig"}, seen{Op: "reconfig", Err: "ReconfigDisabled"}},
		{ping, nil, seen{Op: "ping"}, seen{Op: "ping"}},
	}
}

func deletes() []exchange {
	return []exchange{
		{remove, []any{"~/a", -1}, seen{Op: "delete", Path: "~/a"}, seen{Op: "delete", Path: "~/a", Err: "NotEmpty"}},
		{remove, []any{"~/a/s-0000000001", -1},
			seen{Op: "delete", Path: "~/a/s-0000000001"}, seen{Op: "delete", Path: "~/a/s-0000000001"}},
		{create, []any{"~/p", "", openACL{}, 0}, seen{Op: "create", Path: "~/p"}, seen{Op: "create", Path: "~/p"}},
		{closeSession, nil, seen{Op: "closeSession"}, seen{Op: "closeSession"}},
	}
}
