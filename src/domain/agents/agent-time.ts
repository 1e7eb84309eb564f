import type { AgentState } from './agent-state.js';
import { agentLostAfterMs } from './agent-state.js';
import { listeningGapMs, listeningLagMs } from './listening.js';

const hourMs = 3_600_000;

/**
 * By how much more the time of day may have moved than the listening clock between two signs of life. It moves more
 * where no process listened, or where it jumped.
 */
const unheardMs = 2 * listeningGapMs + listeningLagMs;

/** A piece of time, in milliseconds since the epoch; `to` is not part of it. */
export interface Period {
  from: number;
  to: number;
}

/** A moment at which an agent was heard, by the time of day and by the listening clock. */
export interface Heard {
  at: number;
  heardMs: number;
}

/** What tells for how long an agent was connected. */
export interface AgentPresence {
  state: AgentState;
  /** From where on its time is not counted yet. */
  since: Heard;
  /** Its last sign of life. */
  last: Heard;
  disconnectedAt: number | null;
  lostAt: number | null;
}

/** Time to be counted, if any, and from where on the rest is; null once the agent is gone. */
export interface AgentTime {
  period: Period | null;
  next: Heard | null;
}

const isConnected = (state: AgentState): boolean => state === 'connected' || state === 'stopping';

/**
 * For how long an agent was connected since its time was last counted: up to its last sign of life, or to its goodbye
 * where it was not silent before that. Time for which nobody listened, or by which the time of day jumped, does not
 * count.
 */
export function timeToCount({ state, since, last, disconnectedAt, lostAt }: AgentPresence): AgentTime {
  const passed = last.at - since.at;
  const heard = Math.max(0, last.heardMs - since.heardMs);
  // A clock that was set back tells nothing of the time before.
  const begin = passed < 0 ? last.at : since.at;
  const from = passed > heard + unheardMs ? last.at - heard : begin;
  const to = endOf({ state, last, disconnectedAt, lostAt });
  return { period: to > from ? { from, to } : null, next: isConnected(state) ? last : null };
}

function endOf({ state, last, disconnectedAt, lostAt }: Omit<AgentPresence, 'since'>): number {
  if (disconnectedAt === null || (state !== 'disconnected' && state !== 'stopped')) return last.at;
  // One that was lost when it said goodbye was gone since it was last heard.
  if (lostAt !== null && lostAt > last.at) return last.at;
  const silence = disconnectedAt - last.at;
  return silence >= 0 && silence <= agentLostAfterMs + unheardMs ? disconnectedAt : last.at;
}

/** Connected and busy time of an hour, in milliseconds. */
export interface AgentHour {
  /** When the hour of UTC begins. */
  beginsAt: number;
  connectedMs: number;
  busyMs: number;
}

/** Parts time among the hours of UTC: all of it is connected, and busy what the jobs, each of a time, cover. */
export function hoursOf({ from, to }: Period, jobs: readonly Period[]): AgentHour[] {
  if (from >= to) return [];
  const hours: AgentHour[] = [];
  const busy = joined(jobs);
  for (let beginsAt = Math.floor(from / hourMs) * hourMs; beginsAt < to; beginsAt += hourMs) {
    const hour = { from: Math.max(from, beginsAt), to: Math.min(to, beginsAt + hourMs) };
    const busyMs = busy.reduce((sum, job) => sum + overlap(hour, job), 0);
    hours.push({ beginsAt, connectedMs: hour.to - hour.from, busyMs });
  }
  return hours;
}

const overlap = (one: Period, other: Period): number =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));

/** The same time, moments that several jobs have once: clocks that were set back make jobs of an agent overlap. */
function joined(jobs: readonly Period[]): Period[] {
  const all: Period[] = [];
  for (const { from, to } of [...jobs].sort((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) all.push({ from, to });
  }
  return all;
}
