import { buildsOfFirstHour, isFirstHourOver, stepsDone } from '../../../src/console/pages/home/steps-done';
import { describe, expect, it } from 'vitest';

const nothing = { hasAgent: false, hasPipeline: false, builds: [] };
const waiting = { startedAt: null, source: 'BuildSourceAPI' };
const begun = { startedAt: '2026-01-01T00:00:00Z', source: 'BuildSourceAPI' };
const pushed = { startedAt: null, source: 'BuildSourceWebhook' };

describe('steps of a first hour', () => {
  it.each([
    ['an empty organization', nothing, []],
    ['an agent', { ...nothing, hasAgent: true }, ['agent']],
    ['a pipeline', { ...nothing, hasPipeline: true }, ['pipeline']],
    ['a build that waits for an agent', { ...nothing, hasPipeline: true, builds: [waiting] }, ['pipeline']],
    ['a build whose agent is gone', { ...nothing, builds: [begun] }, ['agent', 'pipeline', 'build']],
    ['a push', { ...nothing, builds: [pushed] }, ['pipeline', 'push']],
  ])('of %s', (_name, hour, done) => {
    expect([...stepsDone(hour)]).toEqual(done);
  });

  it('are over when all are done, or there is no first hour any more', () => {
    expect(isFirstHourOver({ ...nothing, builds: [begun] })).toBe(false);
    expect(isFirstHourOver({ ...nothing, builds: [begun, pushed] })).toBe(true);
    expect(isFirstHourOver({ ...nothing, builds: Array.from({ length: buildsOfFirstHour }, () => waiting) })).toBe(
      true,
    );
  });
});
