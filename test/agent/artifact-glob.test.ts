import fc from 'fast-check';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findArtifacts, toGlob } from '../../src/agent/artifacts/artifact-glob.js';
import { contentType } from '../../src/agent/artifacts/content-type.js';
import { temporaryDirectory } from '../support/database.js';

const root = temporaryDirectory();
const folder = join(root.path, 'job');
const files = [
  'foo.go',
  'foobar.go',
  'top.txt',
  'a/x.go',
  'a/b/z.go',
  'a/b/z.txt',
  '.hidden/y.go',
  'a-c.txt',
  'b.txt',
  'we[i]rd.txt',
  '!not.txt',
  'x{1..2}.txt',
  'with space.txt',
  '+(a).txt',
];

beforeAll(() => {
  for (const name of [...files, '../home/in-home.txt']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  symlinkSync(join(folder, 'top.txt'), join(folder, 'latest'));
  symlinkSync(folder, join(folder, 'a', 'loop'));
});
afterAll(() => root.remove());

const home = () => join(root.path, 'home');
const found = async (paths: string) => (await findArtifacts(paths, folder, { home: home() })).map(({ path }) => path);
const absolute = (path: string) => join(folder, path).slice(1);

/** rest-facts 5.4, row by row. */
test.each<[string, string[]]>([
  ['*.go', ['foo.go', 'foobar.go']],
  ['a/*', ['a/x.go']],
  ['a/**', ['a/b/z.go', 'a/b/z.txt', 'a/x.go']],
  ['**/*.go', ['.hidden/y.go', 'a/b/z.go', 'a/x.go', 'foo.go', 'foobar.go']],
  ['**.go', ['.hidden/y.go', 'a/b/z.go', 'a/x.go', 'foo.go', 'foobar.go']],
  ['a/**/z.go', ['a/b/z.go']],
  ['a/**/x.go', ['a/x.go']],
  ['foo**', ['foo.go', 'foobar.go']],
  ['a**.go', ['a/b/z.go', 'a/x.go']],
  ['fo?.go', ['foo.go']],
  ['a?x.go', []],
  ['foo{,bar}.go', ['foo.go', 'foobar.go']],
  ['{foo{,bar},top}.{go,txt}', ['foo.go', 'foobar.go', 'top.txt']],
  ['with{ ,x}space.txt', ['with space.txt']],
  ['[ab].txt', ['b.txt']],
  ['a[a-c]c.txt', ['a-c.txt']],
  ['[^ab].txt', []],
  ['[^x].txt', ['b.txt']],
  ['we\\[i\\]rd.txt', ['we[i]rd.txt']],
  ['!not.t*', ['!not.txt']],
  ['x{1..2}.t*', ['x{1..2}.txt']],
  ['+(a).t*', ['+(a).txt']],
  ['[unclosed', []],
  ['./top.txt', ['top.txt']],
  ['latest', ['latest']],
  ['a', []],
  ['nothing-here.txt', []],
  ['top.txt; a/*.go ;;top.*', ['top.txt', 'a/x.go']],
  [' ; ', []],
])('the artifact pattern %s finds %j', async (pattern, expected) => {
  expect(await found(pattern)).toEqual(expected);
});

test('an absolute pattern matches without its leading slash, ~ expands to the home folder, and files elsewhere get paths from the root', async () => {
  expect(await found(join(folder, 'a/*.go'))).toEqual([absolute('a/x.go')]);
  expect(await found(join(folder, 'top.txt'))).toEqual([absolute('top.txt')]);
  expect(await found('~/*.txt')).toEqual([join(home(), 'in-home.txt').slice(1)]);
  expect(await found('../home/*')).toEqual([join(home(), 'in-home.txt').slice(1)]);
  const [file] = await findArtifacts('a/*', folder);
  expect(file).toEqual({ path: 'a/x.go', absolutePath: join(folder, 'a/x.go'), globPath: 'a/*' });
});

test('any text is accepted as an artifact pattern', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'a/*?[]{},^\\!-.') }),
      (text) => void expect(typeof toGlob(text)).toBe('string'),
    ),
  );
});

test.each([
  ['a/b.TXT', 'text/plain; charset=utf-8'],
  ['x.png', 'image/png'],
  ['Makefile', 'application/octet-stream'],
  ['a.unknown', 'application/octet-stream'],
])('the content type of %s is %s', (path, type) => {
  expect(contentType(path)).toBe(type);
});
