/** `done`: answered with success. `refused`: answered 4xx. `unknown`: no answer came, however often it was asked. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What a person asked for once, under one idempotency key, with however many tries. */
export interface UserCall {
  operation: string;
  key: string;
  /** One for each try. */
  requestIds: string[];
  outcome: Outcome;
  /** The message of a created build, the text added to an annotation. */
  text: string | null;
  /** The thing the first success answered with. */
  resultId: string | null;
}

export interface SentChunk {
  sequence: number;
  offset: number;
  text: string;
  acknowledged: boolean;
}

/** What an agent was told of an attempt that it reported. */
export interface Report {
  job: string;
  attempt: number;
  exitStatus: number | null;
}

/** What an agent was told of an upload. */
export interface AnsweredUpload {
  job: string;
  uuid: string;
  state: 'applied' | 'rejected';
}

/** Everything that was asked from outside, with its answer: what the database is compared with. */
export class Ledger {
  readonly calls: UserCall[] = [];
  /** By job. */
  readonly chunks = new Map<string, SentChunk[]>();
  /** Acknowledged starts (without an exit status) and ends. */
  readonly reports: Report[] = [];
  readonly uploads: AnsweredUpload[] = [];
  /** Agents that got a success on accept, by job and attempt (I1). */
  readonly owners = new Map<string, Set<string>>();
  /** What was answered wrongly while it ran. */
  readonly complaints: string[] = [];

  own(job: string, attempt: number, agent: string): void {
    const key = `${job} ${attempt}`;
    this.owners.set(key, (this.owners.get(key) ?? new Set()).add(agent));
  }
}
