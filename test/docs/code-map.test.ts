import { existsSync, readdirSync, readFileSync } from 'node:fs';

const map = readFileSync('docs/code-map.md', 'utf8');
const architecture = readFileSync('docs/ARCHITECTURE.md', 'utf8');
const block = (page: string) => /^```\n([^]*?)^```/m.exec(page)?.[1] ?? '';

/** The folders that the first column of a drawing of rooms names, without `src/`. */
const foldersOf = (drawing: string) =>
  drawing
    .split('\n')
    .filter((line) => line.startsWith('src/'))
    .flatMap((line) => [
      ...line
        .split(/ {2,}/, 1)
        .join('')
        .matchAll(/(?:src\/)?([a-z-]+)\/(?=\s|$)/g),
    ])
    .map(([, folder = '']) => folder);

const entries = readdirSync('src', { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).map(({ name }) => name);

describe('docs/code-map.md', () => {
  test('names every folder of src, and none that does not exist', () => {
    const named = [...block(map).matchAll(/(?:^|[; ])src\/([a-z-]+)\//gm)].map(([, folder = '']) => folder);
    const besides = foldersOf(block(map));
    expect([...new Set([...named, ...besides])].sort()).toEqual([...folders].sort());
  });

  test('names every file of src itself', () => {
    expect(files.filter((name) => !map.includes(`\`${name}\``) && !map.includes(`src/${name}`))).toEqual([]);
  });

  test('answers questions with files that exist', () => {
    const paths = [...map.matchAll(/`([a-z-]+\/[\w/.-]*)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(`src/${path}`) && !existsSync(path))).toEqual([]);
  });
});

describe('docs/ARCHITECTURE.md', () => {
  test('draws rooms that exist, and fits on a page', () => {
    const drawn = foldersOf(block(architecture));
    expect(drawn.length).toBeGreaterThan(15);
    expect(drawn.filter((folder) => !folders.includes(folder))).toEqual([]);
    expect(architecture.split('\n').length).toBeLessThanOrEqual(45);
  });

  test('names files that exist', () => {
    const paths = [...architecture.matchAll(/`([a-z-]+\/[\w/.-]*)`/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(`src/${path}`) && !existsSync(path))).toEqual([]);
  });
});
