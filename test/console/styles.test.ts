import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(process.cwd(), 'src/console');
const files = (readdirSync(root, { recursive: true }) as string[]).filter((file) => !file.includes('__generated__'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const importsOf = (file: string, pattern: RegExp) =>
  [...read(file).matchAll(pattern)].map(([, path = '']) => relative(root, join(root, dirname(file), path)));
const sheetsOf = (file: string) => importsOf(file, /^import '(\.[^']+\.css)';$/gm);
const modulesOf = (file: string) =>
  importsOf(file, /from '(\.[^']+)'/g).flatMap((path) =>
    files.filter((each) => [`${path}.ts`, `${path}.tsx`].includes(each)),
  );

/** Stylesheets that every page has: those that the entrance imports, itself or by what it imports. */
function everywhere(): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    modulesOf(file).forEach(visit);
  };
  visit('main.tsx');
  return new Set([...seen].flatMap(sheetsOf));
}

/** Stylesheets by the classes that they style. */
function styled(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files.filter((each) => each.endsWith('.css')))
    for (const [, selector = ''] of read(file).matchAll(/([^{}]+)\{/g))
      for (const [, name = ''] of selector.matchAll(/\.([a-z][\w-]*)/gi))
        found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

const usedBy = (file: string) =>
  [...read(file).matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`|\{([^}]*)\})/g)].flatMap((match) =>
    match.slice(1).flatMap((text) => (text ?? '').match(/[a-z][\w-]*/gi) ?? []),
  );

describe('the styles of the console', () => {
  test('of a class are imported where it is used, so that a page has them however it was reached', () => {
    const sheets = styled();
    const common = everywhere();
    const missing = files
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => {
        const own = new Set([...common, ...sheetsOf(file)]);
        return usedBy(file)
          .filter((name) => sheets.has(name) && !sheets.get(name)?.some((sheet) => own.has(sheet)))
          .map((name) => `${file} uses .${name} of ${sheets.get(name)?.[0]}`);
      });
    expect(missing).toEqual([]);
  });
});
