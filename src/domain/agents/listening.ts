/**
 * Longest interval between two looks that counts as listened. Silence counts only while the installation could hear
 * agents, and each replica looks every few seconds. A longer interval means that the process stood still, was stopped,
 * or could not reach the database, so that agents could not be heard through it.
 */
export const listeningGapMs = 10_000;

/**
 * Largest error of a sign of life: agents are stamped with the clock's value at the last look, at most a little more
 * than one interval of the task ago.
 */
export const listeningLagMs = 4_000;

/**
 * Time after listening resumes for which missed deadlines are not enforced, so that agents and uploaders can reconnect.
 */
export const graceAfterSilenceMs = 60_000;

/** A difference between the time of day and the time that passed above this is a jump, not drift or a slow look. */
export const clockJumpMs = 5_000;

/** The last look of a replica. */
export interface Look {
  /** Its own clock that never jumps. */
  monotonicMs: number;
  /** Its time of day. */
  wallMs: number;
  /** Value of the installation's listening clock. */
  listenedMs: number;
}

export interface Progress {
  /** New value of the listening clock; advances at most as much as time passed. */
  listenedMs: number;
  /** Whether nothing interrupted it since its last look. */
  continuous: boolean;
  /** By how much the time of day jumped since its last look; 0 where it did not. */
  jumpedMs: number;
}

/**
 * Returns the progress since the previous look (`before` is null for the first); `now.listenedMs` is the shared clock's
 * current value.
 */
export function progress(before: Look | null, now: Look): Progress {
  if (before === null) return { listenedMs: now.listenedMs, continuous: false, jumpedMs: 0 };
  const passed = now.monotonicMs - before.monotonicMs;
  const drift = now.wallMs - before.wallMs - passed;
  const jumpedMs = Math.abs(drift) >= clockJumpMs ? Math.round(drift) : 0;
  if (passed > listeningGapMs) return { listenedMs: now.listenedMs, continuous: false, jumpedMs };
  return { listenedMs: Math.max(now.listenedMs, Math.round(before.listenedMs + passed)), continuous: true, jumpedMs };
}
