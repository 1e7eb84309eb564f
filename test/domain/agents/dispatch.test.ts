import { agentMatches, compareJobs, targetQueue, type DispatchableJob } from '../../../src/domain/agents/dispatch.js';

describe('agentMatches', () => {
  test.each<[string, string[], string[], boolean]>([
    ['no rules and no tags', [], [], true],
    ['no rules and the default queue', [], ['queue=default'], true],
    ['no rules and another queue', [], ['queue=deploy'], false],
    ['a named queue', ['queue=deploy'], ['queue=deploy'], true],
    ['a named queue and an agent without tags', ['queue=deploy'], [], false],
    ['the default queue and an agent without tags', ['queue=default'], [], true],
    ['any queue', ['queue=*'], ['queue=deploy'], true],
    ['several queues', ['queue=b'], ['queue=a', 'queue=b'], true],
    ['all rules must match', ['os=linux', 'size=xl'], ['os=linux'], false],
    ['all rules match', ['os=linux', 'size=xl'], ['size=xl', 'os=linux', 'gpu=1'], true],
    ['other rules leave the default queue', ['os=linux'], ['os=linux', 'queue=deploy'], false],
    ['any value by star', ['os=*'], ['os=mac'], true],
    ['any value by an empty one', ['os='], ['os=mac'], true],
    ['any value by a bare key', ['os'], ['os=mac'], true],
    ['any value needs the key', ['os=*'], [], false],
    ['no partial wildcards', ['os=ma*'], ['os=mac'], false],
    ['values may hold an equals sign', ['k=a=b'], ['k=a=b'], true],
    ['keys and values keep their case', ['os=Linux'], ['os=linux'], false],
    ['the old rule for any agent', ['*'], ['queue=deploy'], true],
  ])('the tags of an agent are matched with the rules of a job (%s): %j on %j', (_, rules, tags, matches) => {
    expect(agentMatches(rules, tags)).toBe(matches);
  });

  test('jobs and agents without a queue use the default queue of their cluster', () => {
    expect(agentMatches([], [], 'main')).toBe(true);
    expect(agentMatches([], ['queue=default'], 'main')).toBe(false);
    expect(agentMatches(['queue=main'], [], 'main')).toBe(true);
    expect(targetQueue([], 'main')).toBe('main');
    expect(targetQueue(['os=mac', 'queue=deploy'])).toBe('deploy');
    expect(targetQueue(['queue=*'])).toBe('default');
  });
});

const job = (id: string, over: Partial<DispatchableJob> = {}): DispatchableJob => ({
  id,
  priority: 0,
  scheduledAt: new Date(1000),
  position: 0,
  ...over,
});

test('jobs are ordered by priority, scheduled time, upload order and id', () => {
  const jobs = [
    job('h', { priority: -1, scheduledAt: new Date(0) }),
    job('g', { scheduledAt: new Date(2000) }),
    job('f', { position: 2 }),
    job('e', { position: 1 }),
    job('d'),
    job('c'),
    job('b', { scheduledAt: new Date(500) }),
    job('a', { priority: 1, scheduledAt: new Date(9000) }),
  ];
  expect(
    jobs
      .sort(compareJobs)
      .map(({ id }) => id)
      .join(''),
  ).toBe('abcdefgh');
});
