// Generated from playground/scenario by `go generate ./playground/scenario`. Do not edit.

export type Target =
  | "client"
  | "server";

export type ClientState =
  | "connecting"
  | "idle"
  | "enqueued"
  | "waiting"
  | "woken"
  | "holds"
  | "lost"
  | "expired";

export interface Catalogue {
  faults: FaultKind[];
  moments: MomentKind[];
  recipes: RecipeKind[];
  checks: CheckKind[];
}

export interface FaultKind {
  name: string;
  title: string;
  sentence: string;
  target: Target;
  lasts: boolean;
  endless?: boolean;
  nodes?: number;
  arms?: boolean;
  undoneBy?: string;
  effects?: Effect[];
  repeats?: Repetition;
  mark?: string;
  link?: string;
  parameters?: Parameter[];
  needsOne?: boolean;
}

export interface Repetition {
  title: string;
  seconds: number;
}

export interface MomentKind {
  name: string;
  title: string;
  sentence: string;
}

export interface Parameter {
  name: string;
  title: string;
  unit?: string;
  choices?: string[];
  default?: string;
  required: boolean;
}

export interface RecipeKind {
  name: string;
  title: string;
  sentence: string;
  broken?: boolean;
  shared?: boolean;
  noQueue?: boolean;
  noZnode?: boolean;
  store?: string;
  permits?: boolean;
  threads?: boolean;
  silent?: boolean;
  program?: boolean;
  code: Line[];
}

export interface Line {
  text: string;
  at?: ClientState[];
  awaits?: string[];
  wrong?: string;
}

export interface CheckKind {
  name: string;
  title: string;
  sentence: string;
  violated: string;
}
