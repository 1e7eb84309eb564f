import { readFileSync } from 'node:fs';
import { countFeatures } from '../../scripts/postgres-features.mjs';

describe('the plan for a distributed PostgreSQL', () => {
  const page = readFileSync('docs/distributed-postgresql.md', 'utf8');

  test('has a row for each feature that the code uses, and none that it has given up', () => {
    const rows = [...page.matchAll(/^\| (.+?) \|(?: [^|]+ \|){5}$/gm)].map(([, name]) => name);
    const counts = countFeatures();
    expect(counts.filter(({ files }) => files === 0)).toEqual([]);
    expect(rows.slice(1)).toEqual(counts.map(({ name }) => name));
  });
});
