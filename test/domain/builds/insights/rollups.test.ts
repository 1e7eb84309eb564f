import fc from 'fast-check';
import { pagesOfSpans, planStretches, spanBegin } from '../../../../src/domain/builds/insights/rollup-spans.js';
import { Sketch } from '../../../../src/domain/builds/insights/sketch.js';
import { type Figures, noFigures, othersKey, packFigures } from '../../../../src/domain/builds/insights/rollup.js';

const at = (text: string): number => Date.parse(text);
const foldedUntil = at('2026-06-15T10:30:00Z');
const told = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((time) => new Date(time).toISOString().slice(0, 16)).join(' … ');

describe('where the figures of a time come from', () => {
  test('whole months, the days and hours beside them, and rows at the ends', () => {
    const plan = planStretches(
      { from: at('2026-03-30T21:15:00Z'), to: at('2026-06-15T10:45:00Z') },
      { foldedUntil, longest: 'month' },
    );
    expect(plan.rollups.map((each) => `${each.span} ${told(each)}`)).toEqual([
      'hour 2026-03-30T22:00 … 2026-03-31T00:00',
      'day 2026-03-31T00:00 … 2026-04-01T00:00',
      'month 2026-04-01T00:00 … 2026-06-01T00:00',
      'day 2026-06-01T00:00 … 2026-06-15T00:00',
      'hour 2026-06-15T00:00 … 2026-06-15T09:00',
    ]);
    expect(plan.rows.map(told)).toEqual(['2026-03-30T21:15 … 2026-03-30T22:00', '2026-06-15T09:00 … 2026-06-15T10:45']);
  });

  test('rows alone before anything is in rollups, and for a time that is not over', () => {
    const hour = { from: at('2026-06-15T10:00:00Z'), to: at('2026-06-15T11:00:00Z') };
    expect(planStretches(hour, { foldedUntil: null, longest: 'month' })).toEqual({ rollups: [], rows: [hour] });
    expect(planStretches(hour, { foldedUntil, longest: 'month' })).toEqual({ rollups: [], rows: [hour] });
  });

  test('rows for hours whose rollups are deleted by now', () => {
    const plan = planStretches(
      { from: at('2026-01-10T12:00:00Z'), to: at('2026-01-12T00:00:00Z') },
      { foldedUntil, longest: 'month' },
    );
    expect(plan.rollups.map((each) => `${each.span} ${told(each)}`)).toEqual([
      'day 2026-01-11T00:00 … 2026-01-12T00:00',
    ]);
    expect(plan.rows.map(told)).toEqual(['2026-01-10T12:00 … 2026-01-11T00:00']);
  });

  test('every moment once, in whole spans', () => {
    const moment = fc.integer({ min: at('2014-01-01T00:00:00Z'), max: at('2026-08-01T00:00:00Z') });
    const longest = fc.constantFrom('hour' as const, 'day' as const, 'month' as const);
    fc.assert(
      fc.property(moment, moment, longest, (one, other, span) => {
        fc.pre(one !== other);
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { rollups, rows } = planStretches({ from, to }, { foldedUntil, longest: span });
        const all = [...rollups, ...rows].sort((left, right) => left.from - right.from);
        expect(all[0]?.from).toBe(from);
        expect(all.at(-1)?.to).toBe(to);
        all.slice(1).forEach((stretch, index) => expect(stretch.from).toBe(all[index]?.to));
        for (const rollup of rollups)
          expect([rollup.from, rollup.to]).toEqual([
            spanBegin(rollup.span, rollup.from),
            spanBegin(rollup.span, rollup.to),
          ]);
      }),
    );
  });
});

test('rollups are read a page of figures at a time, each span once', () => {
  const spans = [
    { span: 'day' as const, begin: at('2026-03-31T00:00:00Z'), keys: 40 },
    { span: 'month' as const, begin: at('2026-04-01T00:00:00Z'), keys: 30 },
    { span: 'month' as const, begin: at('2026-05-01T00:00:00Z'), keys: 30 },
    { span: 'month' as const, begin: at('2026-06-01T00:00:00Z'), keys: 101 },
    { span: 'day' as const, begin: at('2026-07-01T00:00:00Z'), keys: 99 },
    { span: 'day' as const, begin: at('2026-07-03T00:00:00Z'), keys: 1 },
    { span: 'day' as const, begin: at('2026-07-04T00:00:00Z'), keys: 1 },
  ];
  expect(pagesOfSpans(spans, 100).map((page) => page.map((each) => `${each.span} ${told(each)}`))).toEqual([
    ['day 2026-03-31T00:00 … 2026-04-01T00:00', 'month 2026-04-01T00:00 … 2026-06-01T00:00'],
    ['month 2026-06-01T00:00 … 2026-07-01T00:00'],
    ['day 2026-07-01T00:00 … 2026-07-04T00:00'],
    ['day 2026-07-04T00:00 … 2026-07-05T00:00'],
  ]);
  expect(pagesOfSpans([], 100)).toEqual([]);
});

test('keys beyond the bound go together, and stay together', () => {
  const of = (builds: number): Figures => ({ ...noFigures(), builds, durations: Sketch.of(String(builds)) });
  const keys = new Map([
    ['a', of(1)],
    [othersKey, of(90)],
    ['b', of(30)],
    ['c', of(20)],
    ['d', of(1)],
  ]);
  const packed = packFigures(keys, 3);
  expect(packed.map(([key, builds]) => [key, builds])).toEqual([
    ['b', 30],
    ['c', 20],
    [othersKey, 92],
  ]);
  expect(packFigures(keys, 5).map(([key]) => key)).toEqual(['b', 'c', 'a', 'd', othersKey]);
  expect(packFigures(new Map(), 3)).toEqual([]);
});
