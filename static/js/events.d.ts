// Generated from playground/event by `go generate ./playground/event`. Do not edit.

export type Kind =
  | "wire.sent"
  | "wire.delivered"
  | "wire.held"
  | "wire.dropped"
  | "wire.received"
  | "wire.undecoded"
  | "session.granted"
  | "session.resumed"
  | "session.refused"
  | "session.connected"
  | "session.suspended"
  | "session.lost"
  | "session.closed"
  | "lock.enqueued"
  | "lock.waiting"
  | "lock.woken"
  | "lock.acquired"
  | "lock.released"
  | "lock.asked"
  | "lock.lost"
  | "lock.gave-up"
  | "lock.local-queued"
  | "lock.local-left"
  | "tree.created"
  | "tree.deleted"
  | "tree.changed"
  | "tree.synced"
  | "tree.lost"
  | "fault.injected"
  | "fault.healed"
  | "fault.armed"
  | "fault.triggered"
  | "fault.disarmed"
  | "resource.read"
  | "resource.sent"
  | "resource.accepted"
  | "resource.refused"
  | "program.at"
  | "program.wrote"
  | "program.ended"
  | "program.tells"
  | "program.silent"
  | "watch.set"
  | "watch.fired"
  | "watch.arrived"
  | "watch.caused"
  | "watch.gone"
  | "belief.false"
  | "belief.ended"
  | "belief.conflict"
  | "queue.changed"
  | "account.changed"
  | "cost.changed"
  | "state.whole"
  | "check.changed"
  | "check.violation"
  | "note.started"
  | "note.stopping"
  | "note.drained"
  | "note.finished"
  | "note.zookeeper"
  | "note.fault"
  | "note.step"
  | "note.delay"
  | "note.injection"
  | "note.limited"
  | "note.stalled"
  | "note.joined"
  | "note.left"
  | "note.refused"
  | "note.truncated";

export type Direction =
  | "out"
  | "in";

export type Participant =
  | "guest"
  | "console";

export type Effect =
  | "ends-process"
  | "leaves-session"
  | "starts-process"
  | "excuses"
  | "silences"
  | "deletes-node";

export type Verdict =
  | "holds"
  | "violated"
  | "undecided";

export type State =
  | "running"
  | "stopping"
  | "finished";

export type InstantName =
  | "first-release"
  | "readers-share"
  | "permits-taken"
  | "two-believe"
  | "gave-up"
  | "asked"
  | "overtaken"
  | "lost-update"
  | "refused"
  | "expired"
  | "waits-for-itself"
  | "missed-wake-up"
  | "woken-for-nothing"
  | "stuck";

export type Args = Record<string, number | string | number[] | Reason | Reason[]>;

export interface Reason {
  code: string;
  args?: Args;
}

export interface SubOp {
  op: string;
  path?: string;
  flags?: string;
  err?: string;
}

export interface Stat {
  czxid?: number;
  mzxid?: number;
  pzxid?: number;
  ctime?: number;
  mtime?: number;
  version?: number;
  cversion?: number;
  ephemeralOwner?: string;
  dataLength?: number;
  numChildren?: number;
}

export interface Cost {
  wakeups?: number;
  wasted?: number;
  joining?: number;
  unexplained?: number;
  rounds?: number;
  roundWakeups?: number;
  roundWasted?: number;
  round?: Round;
}

export interface Round {
  change: number;
  at: number;
  cause: string;
  client?: number;
  woken?: number;
  acquired?: number;
  wasted?: number;
  joined?: number;
  complete?: boolean;
}

export interface Watched {
  id?: number;
  on?: string;
  absent?: boolean;
  request?: number;
  arrived?: boolean;
  change?: number;
  fired?: number[];
  end?: string;
}

export interface Account {
  amount: number;
  should: number;
  losers?: number[];
  accepted?: number;
  refused?: number;
  underWay?: Write[];
  write?: Write;
}

export interface Write {
  client: number;
  token?: number;
  read?: number;
  balance?: number;
  over?: number;
  accepted?: boolean;
  overClient?: number;
  overEvent?: number;
  event: number;
}

export interface Queue {
  handedOver?: number;
  together?: number;
  stoodStill?: number;
}

export interface Event {
  seq: number;
  at: number;
  lane?: string;
  client?: number;
  kind: Kind;
  op?: string;
  path?: string;
  flags?: string;
  watch?: boolean;
  type?: string;
  xid?: number;
  zxid?: number;
  err?: string;
  latency?: number;
  children?: number;
  ops?: SubOp[];
  dir?: Direction;
  frame?: number;
  due?: number;
  bytes?: number;
  data?: string;
  stat?: Stat;
  session?: string;
  timeout?: number;
  token?: number;
  mode?: string;
  thread?: number;
  derived?: boolean;
  line?: number;
  predecessor?: string;
  read?: number;
  balance?: number;
  cause?: string;
  by?: number;
  fault?: string;
  effects?: Effect[];
  server?: string;
  for?: number;
  when?: string;
  every?: number;
  check?: string;
  verdict?: Verdict;
  sent?: number;
  delay?: number;
  held?: boolean;
  participant?: Participant;
  name?: string;
  cost?: Cost;
  account?: Account;
  queue?: Queue;
  clients?: number[];
  wrong?: number;
  watched?: Watched;
  state?: unknown;
  why?: string;
  reason?: Reason;
}

export interface Lane {
  name: string;
  title: string;
  recipe: string;
  root?: string;
  path: string;
  locks?: string[];
  store?: string;
  missing?: string;
  clients: number;
  account?: string;
  permits?: number;
  source?: string;
}

export interface Server {
  version: string;
  managed: boolean;
  nodes?: number;
}

export interface Run {
  id: string;
  room: string;
  scenario: string;
  title?: string;
  state: State;
  seed: number;
  clients: number;
  delay: string;
  session: string;
  step?: boolean;
  steps?: number;
  lanes: Lane[];
  zookeeper: Server;
  expect?: Record<string, Verdict>;
  decisive?: InstantName[];
  events: number;
  at: number;
}
