import fc from 'fast-check';
import { jobFigures, jobOutcomes } from '../../../src/domain/builds/job-figures.js';
import { isTerminal, jobEvents, jobStates, jobTypes } from '../../../src/domain/builds/job-state.js';
import { parseTraceParent } from '@opentelemetry/core';
import {
  isTraceSampled,
  parentSpanOfBuild,
  spanIdOf,
  traceIdOfBuild,
  traceparentOfJob,
  traceparentOfNewBuild,
} from '../../../src/domain/builds/trace-ids.js';

const at = (seconds: number) => new Date(seconds * 1000);

describe('what the move of a job says to metrics', () => {
  const ran = {
    type: 'command',
    runnableAt: at(10),
    assignedAt: at(13),
    startedAt: at(15),
    finishedAt: at(40),
  } as const;

  test.each([
    ['an accepted job has waited', 'accept', 'accepted', ran, { waitSeconds: 3 }],
    ['an acquired job has waited', 'acquire', 'accepted', ran, { waitSeconds: 3 }],
    ['an offered job waits on', 'assign', 'assigned', ran, null],
    ['a started job has ended nothing', 'start', 'running', ran, null],
    ['a passed job', 'pass', 'finished', { ...ran, passed: true }, { outcome: 'passed', runSeconds: 25 }],
    ['a failed job', 'fail', 'finished', { ...ran, passed: false }, { outcome: 'failed', runSeconds: 25 }],
    ['a soft failure', 'fail', 'finished', { ...ran, softFailed: true }, { outcome: 'soft_failed', runSeconds: 25 }],
    ['a timeout', 'force_stop', 'timed_out', ran, { outcome: 'timed_out', runSeconds: 25 }],
    ['a lost job that goes back', 'lose_agent', 'scheduled', ran, null],
    ['a job that never ran', 'cancel', 'canceled', { type: 'command', finishedAt: at(4) }, { outcome: 'canceled' }],
    ['a trigger job', 'pass', 'finished', { ...ran, type: 'trigger', passed: true }, { outcome: 'passed' }],
    ['a wait', 'pass', 'finished', { type: 'wait', passed: true }, null],
    ['a clock that jumped back', 'accept', 'accepted', { ...ran, assignedAt: at(2) }, { waitSeconds: 0 }],
  ] as const)('%s', (_what, event, to, job, figures) => {
    expect(jobFigures(event, to, job)).toEqual(figures);
  });

  test('every job that ends has an outcome of the list, and no other has one', () => {
    const anyOf = <T>(list: readonly T[]) => fc.constantFrom(...list);
    const moves = fc.tuple(anyOf(jobEvents), anyOf(jobStates), anyOf(jobTypes), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(moves, ([event, to, type, passed, softFailed]) => {
        const takes = event === 'accept' || event === 'acquire';
        fc.pre(!takes && to !== 'unblocked' && to !== 'unblocked_failed');
        const figures = jobFigures(event, to, { type, passed, softFailed });
        const counts = (type === 'command' || type === 'trigger') && isTerminal(to);
        expect(figures !== null).toBe(counts);
        if (figures) expect(jobOutcomes).toContain(figures.outcome);
      }),
    );
  });
});

describe('ids of the trace of a build', () => {
  test('are valid for W3C Trace Context, whatever UUIDs of version 4 or 7 they are made of', () => {
    const uuid = fc.uuid({ version: [4, 7] });
    fc.assert(
      fc.property(uuid, uuid, (id, buildId) => {
        const build = { buildId, traceparent: null };
        expect(traceIdOfBuild(build)).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
        expect(spanIdOf(id)).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
        expect(traceparentOfJob({ id, ...build })).toBe(`00-${traceIdOfBuild(build)}-${spanIdOf(id)}-01`);
        expect(parentSpanOfBuild(build)).toBeNull();
      }),
    );
  });

  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
  const headers = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('00', '01', 'cc', 'ff', 'FF', '0'),
        hex(32),
        hex(16),
        hex(2),
        fc.constantFrom('', '', '-', '-more', 'x'),
      )
      .map(([version, trace, span, flags, more]) => `${version}-${trace}-${span}-${flags}${more}`),
    fc
      .tuple(fc.constantFrom('0'.repeat(32), 'a'.repeat(32)), fc.constantFrom('0'.repeat(16), 'b'.repeat(16)))
      .map(([trace, span]) => `00-${trace}-${span}-01`),
    fc.string(),
  );

  test('are those of a traceparent wherever OpenTelemetry takes it for one', () => {
    fc.assert(
      fc.property(headers, (header) => {
        const context = parseTraceParent(header);
        const stored = traceparentOfNewBuild({}, header);
        if (!context) return void expect(stored).toBeNull();
        const build = { buildId: 'b', traceparent: stored };
        expect(stored).toHaveLength(55);
        expect(traceIdOfBuild(build)).toBe(context.traceId);
        expect(parentSpanOfBuild(build)).toBe(context.spanId);
        expect(isTraceSampled(build)).toBe((context.traceFlags & 1) === 1);
      }),
    );
  });

  test('come from the variable of the author before the header of the request', () => {
    const [one, other] = [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`];
    expect(traceparentOfNewBuild({ TRACEPARENT: one }, other)).toBe(one);
    expect(traceparentOfNewBuild({ TRACEPARENT: 'nonsense' }, other)).toBe(other);
    expect(traceparentOfNewBuild({ TRACEPARENT: { not: 'text' } }, undefined)).toBeNull();
    expect(traceparentOfNewBuild({}, `${one}${'-more'.repeat(200)}`)).toBeNull();
  });
});
