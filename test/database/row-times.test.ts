import fc from 'fast-check';
import type { UnknownRow } from 'kysely';
import { RowConversionPlugin } from '../../src/database/row-conversion.js';

/** Times as text, as PostgreSQL writes them, through the conversion of rows. */
async function datesOf(texts: readonly unknown[]): Promise<unknown[]> {
  const rows = texts.map((text): UnknownRow => ({ created_at: text }));
  const converted = await new RowConversionPlugin().transformResult({ result: { rows }, queryId: { queryId: 'test' } });
  return converted.rows.map((row) => row['createdAt']);
}

const textOf = (date: Date, digits: number) =>
  date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.(\d+)Z$/, (_, milliseconds: string) =>
      digits > 0 ? `.${`${milliseconds}999`.slice(0, digits)}+00` : '+00',
    );

const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

test('times are read as Date reads them, whatever stands beside them in the column', async () => {
  const near = fc.tuple(times, fc.array(fc.integer({ min: -90_000, max: 90_000 }), { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(fc.array(near, { maxLength: 5 }), fc.integer({ min: 0, max: 6 }), async (groups, digits) => {
      const texts = groups
        .flatMap(([start, steps]) => [start, ...steps.map((step) => new Date(start.getTime() + step))])
        .filter((date) => /^\d{4}-/.test(date.toISOString()))
        .map((date) => textOf(date, digits));
      expect(await datesOf(texts)).toEqual(
        texts.map((text) => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)),
      );
    }),
  );
});

test('what is no time of the kind stays as it is', async () => {
  const others = [null, 'infinity', '0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00', '2026-01-01', 7];
  expect(await datesOf(others)).toEqual(others);
});
