import fc from 'fast-check';
import { compareJobs } from '../../../src/domain/agents/dispatch.js';
import { type IdleAgent, planDispatch, type WaitingJob } from '../../../src/domain/agents/plan-dispatch.js';

const queue = { key: 'default', affinity: 'prefer-warmest' as const };

const agent = (id: string, fields: Partial<IdleAgent> = {}): IdleAgent => ({
  id,
  priority: null,
  metaData: ['queue=default'],
  lastSuccessAt: null,
  here: true,
  ...fields,
});
const job = (id: string, fields: Partial<WaitingJob> = {}): WaitingJob => ({
  id,
  priority: 0,
  scheduledAt: new Date(0),
  position: 0,
  agentQueryRules: [],
  earlierAgentIds: new Set(),
  fresh: true,
  ...fields,
});

describe('the plan of a pass over a queue', () => {
  test('gives the first job to the agent of the highest priority, then to the one that passed a job last', () => {
    const agents = [
      agent('cold'),
      agent('warm', { lastSuccessAt: new Date(5) }),
      agent('high', { priority: 1 }),
      agent('warmer', { lastSuccessAt: new Date(9) }),
    ];
    const jobs = ['1', '2', '3', '4'].map((id) => job(id));
    expect(planDispatch(jobs, agents, queue).offers.map(({ agentId }) => agentId)).toEqual([
      'high',
      'warmer',
      'warm',
      'cold',
    ]);
  });

  test('leaves a fresh job to an agent elsewhere that has precedence, and no other job', () => {
    const elsewhere = agent('elsewhere', { priority: 5, here: false });
    const plan = planDispatch([job('1'), job('2')], [agent('here'), elsewhere], queue);
    expect(plan).toEqual({ offers: [{ jobId: '2', agentId: 'here' }], left: ['1'] });
    expect(planDispatch([job('1', { fresh: false })], [agent('here'), elsewhere], queue).offers).toHaveLength(1);
    expect(planDispatch([job('1')], [agent('here'), { ...elsewhere, priority: null }], queue).offers).toHaveLength(1);
  });

  test('gives a retry to another agent where the queue prefers that, and to the same one where there is no other', () => {
    const retry = job('1', { earlierAgentIds: new Set(['before']) });
    const before = agent('before', { priority: 9 });
    const different = { ...queue, affinity: 'prefer-different' as const };
    expect(planDispatch([retry], [before, agent('other')], different).offers[0]?.agentId).toBe('other');
    expect(planDispatch([retry], [before], different).offers[0]?.agentId).toBe('before');
    expect(planDispatch([retry], [before, agent('other')], queue).offers[0]?.agentId).toBe('before');
  });

  test('never gives an agent two jobs, a job to two agents, or a job to an agent without its tags', () => {
    const os = fc.constantFrom('linux', 'mac');
    const agents = fc.uniqueArray(
      fc.record({ id: fc.uuid(), priority: fc.option(fc.integer({ min: -2, max: 2 })), os, here: fc.boolean() }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    const jobs = fc.uniqueArray(
      fc.record({ id: fc.uuid(), priority: fc.integer({ min: 0, max: 2 }), os: fc.option(os), fresh: fc.boolean() }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    fc.assert(
      fc.property(agents, jobs, (someAgents, someJobs) => {
        const idle = someAgents.map(({ id, priority, here, ...tags }) =>
          agent(id, { priority, here, metaData: ['queue=default', `os=${tags.os}`] }),
        );
        const waiting = someJobs.map(({ os: rule, ...fields }) =>
          job(fields.id, { ...fields, agentQueryRules: rule === null ? [] : [`os=${rule}`] }),
        );
        const { offers, left } = planDispatch(waiting, idle, queue);
        expect(new Set(offers.map(({ agentId }) => agentId)).size).toBe(offers.length);
        expect(new Set([...offers.map(({ jobId }) => jobId), ...left]).size).toBe(offers.length + left.length);
        const able = (each: WaitingJob, one: IdleAgent) =>
          each.agentQueryRules.every((rule) => one.metaData.includes(rule));
        const byId = new Map(waiting.map((each) => [each.id, each]));
        for (const { jobId, agentId } of offers) {
          const taker = idle.find(({ id }) => id === agentId);
          expect(taker?.here && able(byId.get(jobId) as WaitingJob, taker)).toBe(true);
        }
        // Whoever goes without a job could take none of those that are left over, and jobs go in their order.
        const given = new Set([...offers.map(({ jobId }) => jobId), ...left]);
        const free = idle.filter(({ id, here }) => here && !offers.some(({ agentId }) => agentId === id));
        const ignored = waiting.filter(({ id }) => !given.has(id));
        expect(ignored.filter((each) => !each.fresh && free.some((one) => able(each, one)))).toEqual([]);
        const order = offers.map(({ jobId }) => byId.get(jobId) as WaitingJob);
        expect([...order].sort(compareJobs)).toEqual(order);
      }),
    );
  });
});
