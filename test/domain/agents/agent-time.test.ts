import fc from 'fast-check';
import { type AgentPresence, hoursOf, type Period, timeToCount } from '../../../src/domain/agents/agent-time.js';

const hourMs = 3_600_000;
const begin = Date.parse('2026-06-15T10:30:00Z');
const minutes = (count: number) => count * 60_000;
const heard = (passed: number, listened = passed) => ({ at: begin + passed, heardMs: 5_000 + listened });
const presence = (fields: Partial<AgentPresence> = {}): AgentPresence => ({
  state: 'connected',
  since: heard(0),
  last: heard(minutes(1)),
  disconnectedAt: null,
  lostAt: null,
  ...fields,
});
const lengthOf = ({ period }: { period: Period | null }) => (period ? period.to - period.from : 0);

describe('the time of an agent that is to be counted', () => {
  test('is that up to its last sign of life, and the rest follows', () => {
    for (const state of ['connected', 'stopping'] as const)
      expect(timeToCount(presence({ state }))).toEqual({
        period: { from: begin, to: begin + minutes(1) },
        next: heard(minutes(1)),
      });
    expect(timeToCount(presence({ last: heard(0) }))).toEqual({ period: null, next: heard(0) });
  });

  test('ends with its goodbye, unless it was lost or silent before that', () => {
    const left = (fields: Partial<AgentPresence>) => timeToCount(presence({ state: 'disconnected', ...fields }));
    expect(left({ disconnectedAt: begin + minutes(1.4) })).toEqual({
      period: { from: begin, to: begin + minutes(1.4) },
      next: null,
    });
    expect(lengthOf(left({ state: 'stopped', disconnectedAt: begin + minutes(2) }))).toBe(minutes(2));
    // One that came back after it was lost.
    expect(lengthOf(left({ lostAt: begin - 1, disconnectedAt: begin + minutes(2) }))).toBe(minutes(2));
    expect(lengthOf(left({ lostAt: begin + minutes(4), disconnectedAt: begin + minutes(4.1) }))).toBe(minutes(1));
    expect(lengthOf(left({ disconnectedAt: begin + minutes(600) }))).toBe(minutes(1));
    expect(lengthOf(left({ disconnectedAt: begin - minutes(600) }))).toBe(minutes(1));
    expect(timeToCount(presence({ state: 'lost', lostAt: begin + minutes(4) }))).toEqual({
      period: { from: begin, to: begin + minutes(1) },
      next: null,
    });
  });

  test('has no time in which nobody listened, and none by which the clock jumped', () => {
    const days = minutes(3 * 24 * 60);
    expect(timeToCount(presence({ last: heard(days, minutes(1)) })).period).toEqual({
      from: begin + days - minutes(1),
      to: begin + days,
    });
    expect(timeToCount(presence({ last: heard(-days, minutes(1)) }))).toEqual({
      period: null,
      next: heard(-days, minutes(1)),
    });
    // The listening clock is a few seconds behind, and stands still while a server starts again.
    expect(lengthOf(timeToCount(presence({ last: heard(minutes(1), minutes(0.7)) })))).toBe(minutes(1));
  });

  test('is never negative, and never more than the time of day or what was listened, whatever clocks do', () => {
    const moment = fc.integer({ min: -10 * hourMs, max: 10 * hourMs });
    fc.assert(
      fc.property(
        fc.constantFrom('connected', 'stopping', 'stopped', 'disconnected', 'lost' as const),
        moment,
        fc.nat(10 * hourMs),
        fc.option(moment),
        fc.option(moment),
        (state, passed, listened, left, lost) => {
          const time = timeToCount(
            presence({
              state,
              last: heard(passed, listened),
              disconnectedAt: left === null ? null : begin + left,
              lostAt: lost === null ? null : begin + lost,
            }),
          );
          const goodbye = minutes(3) + 24_000;
          expect(lengthOf(time)).toBeGreaterThanOrEqual(0);
          expect(lengthOf(time)).toBeLessThanOrEqual(Math.max(0, passed) + goodbye);
          expect(lengthOf(time)).toBeLessThanOrEqual(listened + 24_000 + goodbye);
          expect(time.next === null).toBe(!['connected', 'stopping'].includes(state));
        },
      ),
    );
  });
});

describe('hours of the time of an agent', () => {
  test('have what is in them', () => {
    const period = { from: begin, to: begin + minutes(100) };
    expect(hoursOf(period, [{ from: begin + minutes(20), to: begin + minutes(40) }])).toEqual([
      { beginsAt: begin - minutes(30), connectedMs: minutes(30), busyMs: minutes(10) },
      { beginsAt: begin + minutes(30), connectedMs: minutes(60), busyMs: minutes(10) },
      { beginsAt: begin + minutes(90), connectedMs: minutes(10), busyMs: 0 },
    ]);
    expect(hoursOf(period, [{ from: begin - minutes(5), to: Infinity }]).map(({ busyMs }) => busyMs)).toEqual(
      [30, 60, 10].map(minutes),
    );
  });

  test('add up to the time and to what jobs cover of it, moment by moment, however it is parted', () => {
    const unit = 15;
    const period = fc
      .tuple(fc.nat(300), fc.nat(300))
      .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));
    fc.assert(
      fc.property(period, fc.array(period, { maxLength: 5 }), fc.nat(300), (whole, jobs, cut) => {
        const inMs = ({ from, to }: Period) => ({ from: begin + minutes(unit * from), to: begin + minutes(unit * to) });
        const middle = Math.min(whole.to, Math.max(whole.from, cut));
        const parts = [
          { from: whole.from, to: middle },
          { from: middle, to: whole.to },
        ];
        const hours = parts.flatMap((part) => hoursOf(inMs(part), jobs.map(inMs)));
        const expected = new Map<number, { connected: number; busy: number }>();
        for (let at = whole.from; at < whole.to; at += 1) {
          const hour = Math.floor((begin + minutes(unit * at)) / hourMs) * hourMs;
          const sums = expected.get(hour) ?? { connected: 0, busy: 0 };
          sums.connected += 1;
          if (jobs.some(({ from, to }) => from <= at && at < to)) sums.busy += 1;
          expected.set(hour, sums);
        }
        const sums = new Map<number, { connected: number; busy: number }>();
        for (const { beginsAt, connectedMs, busyMs } of hours) {
          expect(busyMs).toBeLessThanOrEqual(connectedMs);
          const { connected, busy } = sums.get(beginsAt) ?? { connected: 0, busy: 0 };
          sums.set(beginsAt, {
            connected: connected + connectedMs / minutes(unit),
            busy: busy + busyMs / minutes(unit),
          });
        }
        expect([...sums].sort()).toEqual([...expected].sort());
      }),
    );
  });
});
