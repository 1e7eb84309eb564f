import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { importCircles, importsOf } from '../lint/circles.js';

const { mayImport: importLaw, rootFiles } = JSON.parse(readFileSync('import-law.json', 'utf8')) as {
  mayImport: Record<string, string[]>;
  rootFiles: Record<string, string>;
};
const src = join(process.cwd(), 'src');

const files = (readdirSync(src, { recursive: true }) as string[]).filter(
  (name) => /\.tsx?$/.test(name) && !name.includes('__generated__'),
);
const lines = new Map(files.map((name) => [name, readFileSync(join(src, name), 'utf8').split('\n').length - 1]));

/** The place in the law that a file of src stands for. */
function placeOf(name: string): string | undefined {
  const [folder] = name.split(sep);
  return name.includes(sep) ? folder : rootFiles[name];
}

describe('the structure of src', () => {
  test('every file belongs to a folder of the import law', () => {
    expect(files.filter((name) => placeOf(name) === undefined || !(placeOf(name)! in importLaw))).toEqual([]);
  });

  test('the real import graph obeys the import law', () => {
    const broken = files.flatMap((name) => {
      const allowed: string[] = importLaw[placeOf(name) ?? ''] ?? [];
      return importsOf(src, name)
        .filter((imported) => !allowed.includes(placeOf(imported) ?? '?'))
        .map((imported) => `${name} imports ${imported}`);
    });
    expect(broken).toEqual([]);
  });

  test('the import law lists rooms from the ground up, and no room may import one that stands after it', () => {
    const rooms = Object.keys(importLaw);
    const upward = rooms.flatMap((room, index) =>
      (importLaw[room] ?? []).filter((other) => rooms.indexOf(other) > index).map((other) => `${room} -> ${other}`),
    );
    expect(upward).toEqual([]);
  });

  test('imports form no circle anywhere in src', () => {
    expect(importCircles(src).map((circle) => circle.join(' -> '))).toEqual([]);
  });

  test('a circle is found in .tsx files too, whether an import names an extension, a type or a later import', () => {
    const directory = mkdtempSync(join(tmpdir(), 'circles-'));
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    write('menu.tsx', "const load = () => import('./aria-menu');");
    write('aria-menu.tsx', "import type { Props } from './menu';");
    write('table.tsx', "import { row } from './row.js';");
    write('row.ts', "import { Table } from './table.js';");
    write('page.tsx', "import './page.css'; import { Table } from './table';");
    expect(importCircles(directory).map((circle) => new Set(circle))).toEqual([
      new Set(['aria-menu.tsx', 'menu.tsx']),
      new Set(['table.tsx', 'row.ts']),
    ]);
    rmSync(directory, { recursive: true });
  });

  test('every built file that benches, scripts and examples load has its source', () => {
    const loading = ['bench', 'examples', 'scripts', 'test'].flatMap((folder) =>
      (readdirSync(folder, { recursive: true }) as string[])
        .filter((name) => /\.m?[jt]s$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    const loaded = loading.flatMap((name) =>
      [...readFileSync(name, 'utf8').matchAll(/\.\.\/dist\/([\w./-]+)\.js\b/g)].map(([, path = '']) => ({
        name,
        path,
      })),
    );
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter(({ path }) => !files.includes(`${path}.ts`.replaceAll('/', sep)))).toEqual([]);
  });

  test('surfaces never use the database handle', () => {
    const surfaces = ['rest', 'graphql', 'agent-api', 'test-uploads', 'artifact-transfer', 'webhooks', 'web'];
    const touching = files.filter(
      (name) =>
        surfaces.includes(placeOf(name) ?? '') &&
        /\b(?:context|ctx|services)\.db\b|from 'kysely'/.test(readFileSync(join(src, name), 'utf8')),
    );
    const allowed = new Set([
      join('rest', 'handle-route.ts'),
      join('graphql', 'server', 'authentication.ts'),
      join('agent-api', 'authentication.ts'),
    ]);
    expect(touching.filter((name) => !allowed.has(name))).toEqual([]);
  });

  test('surfaces reach pipelines, builds and jobs only through references, which hide what the caller may not see', () => {
    const surfaces = ['rest', 'graphql', 'agent-api', 'test-uploads', 'artifact-transfer', 'webhooks', 'web'];
    const reaching = files.filter(
      (name) =>
        surfaces.includes(placeOf(name) ?? '') &&
        /uncheckedRows|UncheckedRows|unchecked-rows/.test(readFileSync(join(src, name), 'utf8')),
    );
    expect(reaching).toEqual([]);
    // Rows that surfaces load without a permission check must not contain these references either.
    expect(readFileSync(join(src, 'loaders', 'loaders.ts'), 'utf8')).not.toMatch(/readonly (?:pipeline|build|job) =/);
  });

  test('no source file has more than 400 lines, 90 percent have at most 200 and half at most 80', () => {
    const own = [...lines].filter(([name]) => !/^migrations.2/.test(name));
    const sorted = own.map(([, count]) => count).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
    expect(own.filter(([, count]) => count > 400)).toEqual([]);
    expect(at(0.9)).toBeLessThanOrEqual(200);
    expect(at(0.5)).toBeLessThanOrEqual(80);
  });

  test('no file has an empty name such as utils, and no test is skipped or exclusive', () => {
    expect(
      files.filter((name) => /(^|[/\\])(utils?|helpers?|common|shared|misc|manager|service)(\.ts|[/\\])/.test(name)),
    ).toEqual([]);
    const tests = (readdirSync(join(process.cwd(), 'test'), { recursive: true }) as string[]).filter(
      (name) => name.endsWith('.test.ts') && !name.includes('boundaries'),
    );
    const off = tests.filter((name) =>
      /\b(describe|test|it)\.(only|skip|todo)\(|\bx(test|it|describe)\(/.test(
        readFileSync(join(process.cwd(), 'test', name), 'utf8'),
      ),
    );
    expect(off).toEqual([]);
  });
});
