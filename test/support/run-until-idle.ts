import { endPauses } from '../../src/background/agents/end-pauses.js';
import { loseSilentAgents } from '../../src/background/agents/lose-silent-agents.js';
import { buildDueSchedules } from '../../src/background/builds/build-due-schedules.js';
import { findCulprits } from '../../src/background/builds/find-culprits.js';
import { expireOverdueJobs } from '../../src/background/builds/expire-overdue-jobs.js';
import { DeletionPurge } from '../../src/background/deletions/purge-deletions.js';
import { Outbox } from '../../src/background/outbox/outbox.js';
import { finishSuiteRuns } from '../../src/background/suites/finish-suite-runs.js';
import type { Services } from '../../src/services/services.js';

const roundsAtMost = 10_000;

/** Runs all due background work and its consequences until nothing is left; throws if that never happens. */
export async function runUntilIdle(services: Services): Promise<void> {
  const outbox = new Outbox(services);
  const deletions = new DeletionPurge();
  for (let round = 0; round < roundsAtMost; round += 1) {
    const delivered = await outbox.round();
    const purged = await deletions.round(services);
    const done =
      (await expireOverdueJobs(services)) +
      (await loseSilentAgents(services)) +
      (await endPauses(services)) +
      (await finishSuiteRuns(services)) +
      (await buildDueSchedules(services)) +
      (await findCulprits(services));
    if (!delivered && !purged && done === 0) return;
  }
  throw new Error('background work does not come to rest');
}
