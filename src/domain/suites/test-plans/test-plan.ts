/** What a plan hands out: a file, one example inside a file, or a selector that only the test runner understands. */
export const targetFormats = ['file', 'example', 'selector'] as const;
export type TargetFormat = (typeof targetFormats)[number];

/** A thing to run, as the client named it. */
export interface TestTarget {
  format: TargetFormat;
  /** File, or what the runner takes for an example; of a selector the selector itself. */
  path: string;
  /** What the runner takes for an example in a retry; absent where the client sent none. */
  identifier?: string | undefined;
  name?: string | undefined;
  scope?: string | undefined;
}

/** How long a target took before. */
export interface Timing {
  /** Median in milliseconds. */
  ms: number;
  /** Runs of a file or a selector, executions of an example, that the median is of. */
  samples: number;
}

/** A target with its estimate: its own history, else the median of the plan's known ones of its format. */
export interface PlannedTest extends TestTarget {
  /** Milliseconds. */
  estimate: number;
  /** Zero without a history of its own. */
  samples: number;
}

/** Timings that a plan was made from, of one format. */
export interface FormatTimings {
  /** Milliseconds; null where no target of the format has a history. */
  median: number | null;
  default: number;
}

/** A test by what a suite knows it by. */
export interface NamedTest {
  scope: string;
  name: string;
}

/** A plan as stored: the same for every node that asks. */
export interface TestPlan {
  /** Tests of each node, by its number. */
  nodes: PlannedTest[][];
  muted: NamedTest[];
  skipped: NamedTest[];
  timings: Partial<Record<TargetFormat, FormatTimings>>;
  /** Share of the targets with a history, from 0 to 1; null without any target. */
  known: number | null;
}

/** How one node went, as it reported. */
export interface NodeReport {
  /** Version of the client. */
  version: string;
  /** Seconds from the first start to the last end of tests; null where the client did not say. */
  duration: number | null;
  /** Tests by outcome; empty of clients that do not count. */
  statistics: Readonly<Record<string, number>>;
}

/** Reports by node number. */
export type NodeReports = Record<string, NodeReport>;
