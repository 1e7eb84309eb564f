import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a file imports as it is loaded: neither types nor what it imports later. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(/^import\s+(?!type\b)(?:([^'"]*?)\s+from\s+)?'([^']+)';/gms)].flatMap(
    ([, names = '', target = '']) => {
      const [, listed] = /^\{([^]*)\}$/.exec(names.trim()) ?? [];
      const onlyTypes = listed?.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ?? false;
      return onlyTypes ? [] : [target];
    },
  );
}

test('the buildkite-agent of a job loads neither schemas, YAML nor the server as it starts', () => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const target of importsOf(path)) {
      if (target.startsWith('.')) visit(normalize(join(dirname(path), target)).replace(/\.js$/, '.ts'));
      else if (!target.startsWith('node:')) packages.add(target);
    }
  };
  visit('src/agent/job-commands/main.ts');
  expect([...packages].sort()).toEqual(['commander', 'p-retry']);
  expect([...files].filter((path) => !path.startsWith('src/agent/'))).toEqual(['src/package/version.ts']);
  expect(files.size).toBeGreaterThan(15);
});
