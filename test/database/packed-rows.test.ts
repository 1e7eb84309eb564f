import fc from 'fast-check';
import { manyRows, packRows } from '../../src/database/packed-rows.js';

type Row = Record<string, unknown>;

/**
 * What the statement makes of packed rows: the common columns, then those of each row, common members in their objects.
 */
function unpacked(rows: readonly Row[]): Row[] {
  const { common, commonMembers, rows: text } = packRows(rows, 'steps');
  return (JSON.parse(text) as Row[]).map((row) => {
    const whole: Row = { ...(JSON.parse(common) as Row), ...row };
    for (const [key, members] of commonMembers)
      whole[key] = { ...(JSON.parse(members) as Row), ...(whole[key] as Row) };
    return whole;
  });
}

const sent = (rows: readonly Row[]): unknown[] =>
  (JSON.parse(JSON.stringify(rows)) as Row[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  );

describe('rows that are sent together', () => {
  test('many rows send what they have alike once', () => {
    const at = new Date(0);
    const rows = Array.from({ length: manyRows }, (_, index) => ({
      key: `step-${index}`,
      label: null,
      type: 'command',
      createdAt: new Date(at),
      definition: { command: `make ${index}`, env: { A: 'a'.repeat(100) }, agents: ['queue=default'] },
    }));
    const packed = packRows(rows, 'steps');
    expect(JSON.parse(packed.common)).toEqual({ type: 'command', created_at: at.toISOString() });
    expect(JSON.parse(packed.commonMembers.get('definition') ?? '')).toEqual({
      env: { A: 'a'.repeat(100) },
      agents: ['queue=default'],
    });
    expect(JSON.parse(packed.rows)).toContainEqual({ key: 'step-3', definition: { command: 'make 3' } });
    expect(packed.keys).toEqual(['key', 'label', 'type', 'createdAt', 'definition']);
  });

  test('few rows are sent whole', () => {
    const { common, commonKeys, rows } = packRows([{ key: 'a', type: 'wait' }], 'steps');
    expect([common, commonKeys.size, JSON.parse(rows)]).toEqual(['{}', 0, [{ key: 'a', type: 'wait' }]]);
  });

  test('whatever the rows are, each comes back whole', () => {
    const value = fc.oneof(fc.constantFrom('a', 'b', 1, null, true), fc.jsonValue({ maxDepth: 2 }));
    const row = fc.record(
      {
        key: value,
        position: fc.integer({ min: 0, max: 2 }),
        definition: fc.oneof(
          fc.record({ text: fc.constant('x'.repeat(120)), one: value, other: value }),
          fc.constantFrom(null, ['list'], 'text'),
        ),
      },
      { requiredKeys: [] },
    );
    const alike = fc
      .tuple(row, fc.integer({ min: manyRows, max: manyRows + 5 }))
      .map(([one, count]) => Array.from({ length: count }, (_, index) => ({ ...one, position: index % 3 })));
    const mixed = fc.array(row, { minLength: 1, maxLength: manyRows * 2 });
    fc.assert(
      fc.property(fc.oneof(alike, mixed), (rows) => {
        expect(unpacked(rows)).toEqual(sent(rows));
      }),
    );
  });
});
