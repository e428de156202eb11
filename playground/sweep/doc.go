// Package sweep removes what playgrounds that are gone have left on ZooKeeper.
//
// Each playground has a name, with which the ids of its runs begin: [RunID]. As
// long as it lives there is an ephemeral znode BASE/playgrounds/NAME, in a session
// of its own. So a znode BASE/rooms/ROOM/ID says whose it is, and whether its
// playground lives: a killed one loses its registration when its session expires.
//
// Nothing of a playground that lives is removed, because
//   - a playground registers before it begins its first run, and a [Sweeper] lists
//     the runs before it lists the registrations: of a run that it sees, it sees the
//     registration, too;
//   - a registration that is missing must be so for a while, the grace. Where a
//     machine or a ZooKeeper stood still, sessions of playgrounds that live expire as
//     well, perhaps all at the same time, and each registers again as soon as it can;
//   - a playground that is not registered removes nothing.
//
// A playground's own runs are removed, too, when the playground has done with them:
// one that ends while ZooKeeper is away cannot remove its znodes itself.
package sweep
