import { Cron } from 'croner';
import fc from 'fast-check';
import { readCronLine } from '../../../../src/domain/pipelines/cron/cron-line.js';

function nexts(line: string, after: string, count: number): string[] {
  const read = readCronLine(line);
  if (!read.ok) throw new Error(read.message);
  const found: string[] = [];
  let time = new Date(after);
  for (let index = 0; index < count; index += 1) {
    const next = read.line.next(time);
    if (!next) break;
    found.push(next.toISOString().replace('.000Z', 'Z'));
    time = next;
  }
  return found;
}

describe('cron lines', () => {
  test.each<[string, string, string[]]>([
    ['*/10 * * * *', '2026-01-02T03:04:05Z', ['2026-01-02T03:10:00Z', '2026-01-02T03:20:00Z']],
    ['0 0 L * *', '2026-01-02T03:04:05Z', ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '2026-03-31T00:00:00Z']],
    ['0 0 last * *', '2028-02-02T00:00:00Z', ['2028-02-29T00:00:00Z']],
    [
      '0 0 -2-L * *',
      '2026-02-01T00:00:00Z',
      ['2026-02-27T00:00:00Z', '2026-02-28T00:00:00Z', '2026-03-30T00:00:00Z', '2026-03-31T00:00:00Z'],
    ],
    ['0 0 * * 2%2+1', '2018-12-31T12:00:00Z', ['2019-01-01T00:00:00Z', '2019-01-15T00:00:00Z', '2019-01-29T00:00:00Z']],
    ['0 0 * * 0%3', '2019-01-01T00:00:00Z', ['2019-01-20T00:00:00Z', '2019-02-10T00:00:00Z']],
    ['0 16 * * SUN', '2026-01-02T00:00:00Z', ['2026-01-04T16:00:00Z', '2026-01-11T16:00:00Z']],
    ['0 8 * * * America/Vancouver', '2026-07-01T00:00:00Z', ['2026-07-01T15:00:00Z', '2026-07-02T15:00:00Z']],
    ['0 8 * * * America/Vancouver', '2026-01-01T00:00:00Z', ['2026-01-01T16:00:00Z']],
    [
      '0 0 */2 * * +01:00',
      '2026-01-30T12:00:00Z',
      ['2026-01-30T23:00:00Z', '2026-01-31T23:00:00Z', '2026-02-02T23:00:00Z'],
    ],
    ['0 9 * * * +09:00', '2026-01-01T00:00:00Z', ['2026-01-02T00:00:00Z']],
    ['0 9 * * * -03:30', '2026-01-01T00:00:00Z', ['2026-01-01T12:30:00Z']],
    ['@hourly', '2026-01-02T03:04:05Z', ['2026-01-02T04:00:00Z']],
    ['@daily', '2026-01-02T03:04:05Z', ['2026-01-03T00:00:00Z']],
    ['@midnight', '2026-01-02T03:04:05Z', ['2026-01-03T00:00:00Z']],
    ['@weekly', '2026-01-02T03:04:05Z', ['2026-01-04T00:00:00Z']],
    ['@monthly', '2026-01-02T03:04:05Z', ['2026-02-01T00:00:00Z']],
    ['@yearly', '2026-01-02T03:04:05Z', ['2027-01-01T00:00:00Z']],
    [
      '15,45 9-10 * * 1-5',
      '2026-01-02T09:20:00Z',
      ['2026-01-02T09:45:00Z', '2026-01-02T10:15:00Z', '2026-01-02T10:45:00Z', '2026-01-05T09:15:00Z'],
    ],
    [
      '0 0 * * fri-sun',
      '2026-01-05T00:00:00Z',
      ['2026-01-09T00:00:00Z', '2026-01-10T00:00:00Z', '2026-01-11T00:00:00Z'],
    ],
    ['0 0 * * 7', '2026-01-02T00:00:00Z', ['2026-01-04T00:00:00Z']],
    ['0 0 * feb,apr *', '2026-02-27T00:00:00Z', ['2026-02-28T00:00:00Z', '2026-04-01T00:00:00Z']],
    // Either of two restricted fields suffices.
    ['0 0 13 * 5', '2026-01-03T00:00:00Z', ['2026-01-09T00:00:00Z', '2026-01-13T00:00:00Z', '2026-01-16T00:00:00Z']],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z']],
    // An hour that a clock leaves out is made up for once; one it has twice counts once.
    ['30 2 * * * Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z']],
  ])('the cron line %s has the expected next times after %s', (line, after, expected) => {
    expect(nexts(line, after, expected.length)).toEqual(expected);
  });

  test.each([
    '0 ~ * * *',
    '',
    '* * * *',
    '* * * * * UTC x',
    '* * * * * Nowhere/Land',
    '* * * * * +25:00',
    '@reboot',
    '61 * * * *',
    '0 24 * * *',
    '0 0 32 * *',
    '0 0 0 * *',
    '0 0 5-3 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '0 0 * * mon%0',
    '0 0 * * xyz',
    '0 0 W * *',
    '0 0 * * 1#2',
    '? ? * * *',
    '0 0 * * 1/0',
    '0 0 1/0 * *',
    'a b c d e',
    '*/0 * * * *',
  ])('the cron line %j is refused', (line) => {
    expect(readCronLine(line)).toEqual({ ok: false, message: expect.any(String) });
  });

  test.each(['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 31 2,4,6,9,11 * Europe/Berlin'])(
    'a next time that is far off or never comes takes few steps of the slow library: %s',
    (line) => {
      const steps = vi.spyOn(Cron.prototype, 'nextRun');
      try {
        nexts(line, '2026-01-01T00:00:00Z', 1);
        expect(steps.mock.calls.length).toBeLessThan(1_000);
      } finally {
        steps.mockRestore();
      }
    },
  );

  test('a cron line for a day that never comes has no next time', () => {
    expect(nexts('0 0 30 2 *', '2026-01-01T00:00:00Z', 1)).toEqual([]);
  });

  const field = (from: number, to: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: from, max: to }).map(String),
      fc.integer({ min: 2, max: 6 }).map((step) => `*/${step}`),
    );
  const zones = fc.constantFrom('', ' UTC', ' Asia/Tokyo', ' America/New_York', ' +05:30');
  test('next times are later, on whole minutes, and none is skipped', () => {
    fc.assert(
      fc.property(
        fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)),
        zones,
        fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (fields, zone, after) => {
          const read = readCronLine(`${fields.join(' ')}${zone}`);
          if (!read.ok) throw new Error(read.message);
          const next = read.line.next(after);
          if (!next) throw new Error('there is always a next one');
          expect(next.getTime()).toBeGreaterThan(after.getTime());
          expect(next.getTime() % 60_000).toBe(0);
          const between = new Date(after.getTime() + Math.floor((next.getTime() - after.getTime() - 1) / 2));
          expect(read.line.next(between)).toEqual(next);
        },
      ),
      { numRuns: 100 },
    );
  });
});
