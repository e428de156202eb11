// What the server says beside events, and what the page keeps.
import type { Direction, Event, Reason, Run } from './events.d.ts';

export type { Run };
export type { CheckKind, FaultKind, Parameter, RecipeKind } from './kinds.d.ts';

/** A lane of a scenario. A run's lanes also have a path. */
export interface LaneInfo {
  name: string;
  recipe: string;
  title: string;
  /** The lane's own znode, which guests see as "/". */
  root?: string;
  path?: string;
  clients?: number;
  account?: string;
  permits?: number;
  locks?: string[];
  /** Where the lock is: redis or sqlite; left out in ZooKeeper. */
  store?: string;
  /** Its program, in Starlark, if it was written on the page. */
  source?: string;
  /** Why the lane does nothing. */
  missing?: string;
}

export interface Scenario {
  name: string;
  title: string;
  summary: string;
  lesson?: string;
  lanes: LaneInfo[];
  clients: number;
  delay: string;
  seed?: number;
}

export interface ZooKeeper {
  state: 'live' | 'unreachable';
  version?: string;
  managed?: boolean;
  address?: string;
}

/** One server of the ensemble. */
export interface Server {
  address: string;
  state: 'live' | 'unreachable';
  mode?: string;
}

/** One step of a script: exactly one of deliver, drop, until, await, fault is set. */
export interface StepSpec {
  client: number;
  lane?: string;
  dir?: Direction;
  deliver?: string;
  drop?: string;
  until?: string;
  await?: string;
  fault?: string;
}

export interface LessonEntry {
  locale: string;
  slug: string;
  title: string;
  scenario?: string;
  order: number;
}

/** What a lesson asks its reader to reach. */
export interface GoalEntry {
  locale: string;
  lesson: string;
  key: string;
  goal: string;
}

/** What has been done by hand: the groups of the script from number `from` on are `script`. */
export interface Steps {
  step: boolean;
  steps: number;
  from: number;
  script: StepSpec[][];
}

/** What the server says of a room, and of who asks. */
export interface Room {
  room: string;
  role: 'teacher' | 'owner' | 'driver' | 'student' | 'viewer' | 'stranger';
  /** What the role may do there. */
  may: string[];
  /** Whether the visitor is a member of a class, here or elsewhere. */
  member?: boolean;
  /** The room of the visitor's own, and that of its class: of which it is a member, or which it has opened. */
  own?: string;
  inClass?: string;
  class?: Class;
  /** Where guests join, and why the last one could not; in the answer to who asks, not in the stream. */
  guests?: { address: string; lock?: string; refused?: string };
}

export interface Class {
  members: number;
  /** Those of them who watch now. */
  here: number;
  /** Nobody new is let in. */
  locked: boolean;
  /** A member drives the run. */
  driven: boolean;
  /** The driver's seat is for who takes it first. */
  offered: boolean;
  votes?: VoteState[];
  /** For the teacher: how many members have met each goal, by its key, where any has. */
  goals?: Record<string, number>;
  /** For the teacher: how many of those who are here see what is seconds old. */
  lagging?: number;
  /** For the teacher: what to join with, and where this machine can be reached. */
  code?: string;
  addresses?: string[];
}

/** How a vote stands, as the visitor may know it. */
export interface VoteState {
  question: string;
  voters: number;
  /** No vote is taken any more. */
  closed: boolean;
  /** The answer has been shown. */
  revealed: boolean;
  /** The visitor's choice, from 0; -1 for none. */
  mine: number;
  /** The votes for each choice; before the reveal the presenter's alone. */
  counts?: number[];
}

/** What the presenter of a class sees. */
export interface Presented {
  seq: number;
  run: string;
  /** In microseconds of the run; 0 where mode is live. */
  at: number;
  mode: 'live' | 'paused' | 'playing';
  speed: number;
  lesson: string;
  panel: string;
  /** The key of what is chosen. */
  subject: string;
  /** The part of the lesson that was shown last, or empty. */
  section: string;
  /** How often one was shown. */
  shown: number;
}

/** One frame of the stream: one of the keys, or zookeeper with servers. */
export interface StreamMessage {
  room?: Room;
  presented?: Presented;
  /** Grows with each change of the room's judgement. */
  judgement?: number;
  run?: Run | null;
  steps?: Steps;
  events?: Event[];
  zookeeper?: ZooKeeper;
  servers?: Server[];
  /** The answer to the page's own. */
  probe?: true;
}

/** Stopped: the playground said so; otherwise as reconnecting. Gone: there is no such room any more, or it is not for the visitor, and nobody asks again. */
export type Link = 'connecting' | 'open' | 'reconnecting' | 'stopped' | 'gone';

export type Property = 'safe' | 'live' | 'fair' | 'cheap' | 'clean' | 'shared' | 'timely' | 'fenced';

/** What a trial says of a property. */
export interface Finding {
  property: Property;
  verdict: 'holds' | 'violated' | 'undecided';
  reason: Reason;
  /** The event of the run at which it is decided, and its time; left out where there is none. */
  seq?: number;
  at?: number;
}

/** What a trial has come to. */
export interface Outcome {
  run: string;
  clients: number;
  findings: Finding[] | null;
  /** Why the trial was not done. */
  notRun?: Reason;
  /** A run with fewer clients that fails in the same way. */
  smaller?: Outcome;
}

/** A lock, or a program, on trial. */
export interface Judgement {
  state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  /** How many others come first, while it waits. */
  ahead: number;
  /** Left out for the program that the server was started with. */
  source?: string;
  challenge?: string;
  seed: number;
  /** How long it has been under way, in milliseconds. */
  millis: number;
  trials: { name: string; sentence: string; asks: Property[]; state: 'waiting' | 'running' | 'done'; outcome?: Outcome }[];
  /** Why it failed. */
  reason?: Reason;
}
