import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { version: string };
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
const [unreleased, ...released] = headings;
const releases = released.map((heading) => /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(heading)?.slice(1) ?? []);

/** A number that orders versions as Semantic Versioning does, for numbers below a thousand. */
const rankOf = (version = '') => version.split('.').reduce((rank, number) => rank * 1000 + Number(number), 0);

describe('the changelog', () => {
  test('its newest release is the version of package.json and of the lock file', () => {
    const [newest] = releases[0] ?? [];
    expect(newest).toMatch(/^\d+\.\d+\.\d+$/);
    expect({ manifest: manifest('package.json').version, lock: manifest('package-lock.json').version }).toEqual({
      manifest: newest,
      lock: newest,
    });
  });

  test('it begins with what is not released, and goes on with numbered and dated releases, the newest first', () => {
    expect(unreleased).toBe('[Unreleased]');
    expect(released.filter((_heading, index) => releases[index]?.length !== 2)).toEqual([]);
    const ranks = releases.map(([version]) => rankOf(version));
    expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => b - a));
    const dates = releases.map(([, date]) => date);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('each release tells operators first what to do, then what is new, then what else has changed', () => {
    const order = ['Before you upgrade', 'New settings and commands', 'Changed defaults', 'Removed']; // then the usual ones
    order.push('Added', 'Changed', 'Fixed', 'Security');
    for (const release of changelog.split(/^## /m).slice(1)) {
      const places = [...release.matchAll(/^### (.*?)(?:: .*)?$/gm)].map(([, heading = '']) => order.indexOf(heading));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });
});

test('one module of src reads the version of package.json', () => {
  const reading = globSync('src/**/*.ts').filter((path) =>
    /['"](?:\.\.?\/)+package\.json/.test(readFileSync(path, 'utf8')),
  );
  expect(reading).toEqual(['src/package/version.ts']);
});
