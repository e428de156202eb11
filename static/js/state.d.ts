// Generated from playground/state by `go generate ./playground/state`. Do not edit.

import type { Account, Cost, Direction, Effect, Event, Participant, Reason } from './events.d.ts';

export interface Whole {
  counting?: boolean;
  finished?: boolean;
  outages?: ActiveFault[];
  stepNote?: Reason;
  held?: boolean;
  delay?: number;
  injection?: Record<string, number>;
  lanes: Lane[];
}

export interface Lane {
  clients: Client[];
  sessions?: Record<string, number>;
  nodes?: Node[];
  stale?: boolean;
  synced?: number;
  tree?: Tree;
  watches?: Watch[];
  flights?: Flight[];
  counted: Counted;
  cost: Cost;
  rounds?: Round[];
  handed: HandedOver;
  wrong?: Wrong[];
  wrongFor?: Record<number, number>;
  account?: Account;
  used?: boolean;
  writes?: Event[];
  late?: Event;
  armed?: Armed[];
  checks?: Record<string, Event>;
  locks?: Lane[];
}

export interface Client {
  number: number;
  participant?: Participant;
  name?: string;
  tells?: boolean;
  state: string;
  since: number;
  belief: string;
  connection: string;
  ended?: string;
  session?: string;
  grantedAt?: number;
  timeout?: number;
  path?: string;
  predecessor?: string;
  mode?: string;
  threads?: number[];
  znodeGone?: boolean;
  token?: number;
  czxid?: number;
  held?: boolean;
  contact?: number;
  newest?: Contact;
  left?: Left;
  faults?: ActiveFault[];
  asked?: boolean;
  gaveUp?: boolean;
  wokenAt: number;
  wokenInVainAt: number;
}

export interface Contact {
  frame: number;
  contact: number;
}

export interface Left {
  session: string;
  until: number;
}

export interface ActiveFault {
  fault: string;
  since: number;
  until: number;
  effects?: Effect[];
}

export interface Node {
  client?: number;
  writer?: number;
  written?: number;
  made: Event;
}

export interface Tree {
  znodes?: Znode[];
  gone?: Gone[];
  told?: Told[];
  known?: number;
  more?: Record<string, number>;
}

export interface Znode {
  path: string;
  flags?: string[];
  session?: string;
  client?: number;
  data?: string;
  bytes?: number;
  createdAt: number;
  changedAt: number;
  gone?: Gone;
}

export interface Gone {
  path: string;
  at: number;
  cause: string;
  by: number;
}

export interface Told {
  client: number;
  path: string;
  type: string;
  frame: number;
  at: number;
}

export interface Watch {
  client: number;
  id: number;
  path: string;
  on: string;
  at: number;
  absent?: boolean;
  fired?: boolean;
}

export interface Flight {
  client: number;
  dir: Direction;
  op: string;
  path?: string;
  frame: number;
  sent: number;
  due: number;
}

export interface Counted {
  acquisitions: number;
  releases: number;
  requests: number;
  notifications: number;
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
  seq?: number;
}

export interface HandedOver {
  lengths?: number[][];
  newest?: number;
  together?: number;
  stoodStill?: number;
}

export interface Wrong {
  client: number;
  path: string;
  at: number;
}

export interface Armed {
  client: number;
  fault: string;
  when: string;
}
