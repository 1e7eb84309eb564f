import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import ts from 'typescript';

const { mayImport: importLaw, rootFiles } = JSON.parse(readFileSync('import-law.json', 'utf8')) as { mayImport: Record<string, string[]>; rootFiles: Record<string, string> };
const src = join(process.cwd(), 'src');

const files = (readdirSync(src, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
const lines = new Map(files.map((name) => [name, readFileSync(join(src, name), 'utf8').split('\n').length - 1]));

/** The place in the law that a file of src stands for. */
function placeOf(name: string): string | undefined {
  const [folder] = name.split(sep);
  return name.includes(sep) ? folder : rootFiles[name];
}

/** Every file of src that a file imports, types included, as the compiler reads it. */
function importsOf(name: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(src, name), 'utf8'), true, true);
  return importedFiles
    .map((file) => file.fileName)
    .filter((file) => file.startsWith('.'))
    .map((file) => relative(src, normalize(join(src, dirname(name), file))).replace(/\.js$/, '.ts'));
}

describe('the house', () => {
  test('every file stands in a place of the import law', () => {
    expect(files.filter((name) => placeOf(name) === undefined || !(placeOf(name)! in importLaw))).toEqual([]);
  });

  test('the real import graph keeps the law', () => {
    const broken = files.flatMap((name) => {
      const allowed: string[] = importLaw[placeOf(name) ?? ''] ?? [];
      return importsOf(name).filter((imported) => !allowed.includes(placeOf(imported) ?? '?')).map((imported) => `${name} imports ${imported}`);
    });
    expect(broken).toEqual([]);
  });

  test('imports form no cycle', () => {
    const graph = new Map(files.map((name) => [name, importsOf(name)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (name: string, path: string[]): void => {
      if (path.includes(name)) {
        cycles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
        return;
      }
      if (done.has(name)) return;
      for (const imported of graph.get(name) ?? []) visit(imported, [...path, name]);
      done.add(name);
    };
    for (const name of files) visit(name, []);
    // GraphQL types name each other: a pipeline has builds, a build has a pipeline.
    expect(cycles.filter((cycle) => !cycle.startsWith(`graphql${sep}`))).toEqual([]);
  });

  test('surfaces never touch the database handle', () => {
    const surfaces = ['rest', 'graphql', 'agent-api', 'upload-api', 'files', 'webhooks', 'console'];
    const touching = files.filter((name) => surfaces.includes(placeOf(name) ?? '') && /\b(?:context|ctx|services)\.db\b|from 'kysely'/.test(readFileSync(join(src, name), 'utf8')));
    const allowed = new Set([join('rest', 'authentication.ts'), join('graphql', 'authentication.ts'), join('agent-api', 'authentication.ts'), join('upload-api', 'authentication.ts')]);
    expect(touching.filter((name) => !allowed.has(name))).toEqual([]);
  });

  test('files stay small: none above 400 lines, 90 in 100 at most 200, half at most 80', () => {
    const own = [...lines].filter(([name]) => !/^migrations.2/.test(name));
    const sorted = own.map(([, count]) => count).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
    expect(own.filter(([, count]) => count > 400)).toEqual([]);
    expect(at(0.9)).toBeLessThanOrEqual(200);
    expect(at(0.5)).toBeLessThanOrEqual(80);
  });

  test('no name says nothing, and no test is switched off or alone', () => {
    expect(files.filter((name) => /(^|[/\\])(utils?|helpers?|common|shared|misc|manager|service)(\.ts|[/\\])/.test(name))).toEqual([]);
    const tests = (readdirSync(join(process.cwd(), 'test'), { recursive: true }) as string[]).filter((name) => name.endsWith('.test.ts') && !name.includes('boundaries'));
    const off = tests.filter((name) => /\b(describe|test|it)\.(only|skip|todo)\(|\bx(test|it|describe)\(/.test(readFileSync(join(process.cwd(), 'test', name), 'utf8')));
    expect(off).toEqual([]);
  });
});
