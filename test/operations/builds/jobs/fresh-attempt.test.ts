import { freshAttempt } from '../../../../src/engine/builds/insert-retry.js';
import { JobSchema } from '../../../../src/entities/builds/job.js';

/** Columns about an attempt that a new attempt sets anew. */
const setAnew = ['createdAt'];
/** A retry keeps the place that the job had in queues. */
const kept = ['retriesCount', 'scheduledAt', 'concurrencyQueuedAt'];

test('a retried job copies no time, person, agent or result of the attempt before it', () => {
  const columns = Object.keys(JobSchema.meta.properties);
  const ofAnAttempt = columns.filter(
    (name) =>
      /(At|ById)$/.test(name) || /^(agent|triggeredBuild)Id$|state|passed|exit|signal|broken|^log|Count$/i.test(name),
  );
  const copied = ofAnAttempt.filter((name) => !(name in freshAttempt) && !setAnew.includes(name));
  expect(copied.sort()).toEqual(kept.sort());
});
