import fc from 'fast-check';
import { agentsNeeded, type PastJob } from '../../../src/domain/agents/agents-needed.js';

const second = 1000;

/** A job that became ready, was taken and ended at these seconds. */
const job = (ready: number, taken: number, ended: number): PastJob => ({
  readyAt: ready * second,
  takenAt: taken * second,
  endedAt: ended * second,
});

/** So many jobs at once, of a minute each, that one agent ran one after another. */
const rush = (jobs: number) => Array.from({ length: jobs }, (_, index) => job(0, index * 60, index * 60 + 60));

const estimate = (jobs: readonly PastJob[], wait = 60) =>
  agentsNeeded(jobs, { waitMs: wait * second, rangeMs: 3600 * second });

type Story = [tells: string, jobs: PastJob[], wait: number, agents: number, waitP95: number | null];
const stories: Story[] = [
  ['no job', [], 60, 0, null],
  ['one job', [job(0, 0, 600)], 60, 1, 0],
  ['one after another', [job(0, 0, 60), job(60, 60, 120), job(120, 120, 180)], 1, 1, 0],
  ['two at once, one of which may wait', [job(0, 0, 60), job(0, 60, 120)], 60, 1, 60],
  ['two at once, none of which may', [job(0, 0, 60), job(0, 60, 120)], 59, 2, 0],
  ['ten at once that wait for one another', rush(10), 60, 5, 60],
  ['ten at once, any wait', rush(10), 86_400, 1, 540],
  ['a rush of which one in twenty may wait longer', rush(20), 1_080, 1, 1_080],
  ['jobs that ended at once', [job(0, 0, 0), job(0, 0, 0)], 1, 1, 0],
];

describe('the number of agents that would have been enough', () => {
  test.each(stories)('for %s', (_tells, jobs, wait, agents, waitP95) => {
    const { agents: fewest, waitP95: longest } = estimate(jobs, wait);
    expect([fewest, longest]).toEqual([agents, waitP95]);
  });

  test('says what was, beside what would have been', () => {
    expect(estimate(rush(10))).toEqual({
      jobs: 10,
      agents: 5,
      waitP95: 60,
      // Ten minutes of work for five agents in an hour.
      busyShare: 600 / (5 * 3600),
      busiestAgents: 1,
      pastWaitP95: 540,
      pastShareInTime: 0.2,
    });
  });

  test('is the fewest with which nearly all jobs wait no longer, by trying each number', () => {
    const moment = fc.integer({ min: 0, max: 50 });
    const anyJob = fc
      .tuple(moment, moment, moment)
      .map(([ready, wait, run]) => job(ready, ready + wait, ready + wait + run));
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (jobs, wait) => {
        const { agents, busiestAgents } = estimate(jobs, wait);
        const enough = (count: number) => {
          const waits = waitsOneByOne(jobs, count);
          return waits.filter((each) => each <= wait * second).length >= 0.95 * jobs.length;
        };
        expect(agents > 0).toBe(jobs.length > 0);
        expect(enough(agents)).toBe(true);
        for (let fewer = 1; fewer < agents; fewer += 1) expect(enough(fewer)).toBe(false);
        expect(busiestAgents).toBe(jobs.length === 0 ? 0 : mostAtOnce(jobs));
      }),
    );
  });
});

/** The same by looking at every agent for every job. */
function waitsOneByOne(jobs: readonly PastJob[], agents: number): number[] {
  const freeAt = Array.from({ length: agents }, () => -Infinity);
  return [...jobs]
    .sort((one, other) => one.readyAt - other.readyAt)
    .map(({ readyAt, takenAt, endedAt }) => {
      const earliest = freeAt.indexOf(Math.min(...freeAt));
      const begin = Math.max(readyAt, freeAt[earliest] as number);
      freeAt[earliest] = begin + endedAt - takenAt;
      return begin - readyAt;
    });
}

/** Most jobs that ran at a moment at which one of them began. */
function mostAtOnce(jobs: readonly PastJob[]): number {
  const at = (moment: number) => jobs.filter(({ takenAt, endedAt }) => takenAt <= moment && moment < endedAt).length;
  return Math.max(1, ...jobs.map(({ takenAt }) => at(takenAt)));
}
