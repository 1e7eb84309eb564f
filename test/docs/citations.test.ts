import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { globSync } from 'tinyglobby';

const read = (path: string) => readFileSync(path, 'utf8');
const pages = [...globSync(['docs/**/*.md', '*.md'])];

/** Documents that are not in the repository: a reader cannot follow a citation of these. */
const absent =
  /\b(?:rest-facts|graphql-facts|agent-protocol (?:§|T?\d)|promises\.md|promises "|rulings?\b(?=[ .:]*\d)|rulings\.md|compatibility (?:rule )?\d|compatibility\.md|api-v2(?:\.md| "|, )|house-2|language\.md)/i;

/** The anchor that a Markdown heading gets on the sites that show it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(read(path)).matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = anchorOf(heading);
    let name = anchor;
    for (let repeat = 1; anchors.has(name); repeat++) name = `${anchor}-${repeat}`;
    anchors.add(name);
  }
  return anchors;
}

/** Fenced blocks hold examples, not links and headings of the page. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '');
}

/** Null when `target`, seen from the folder `from`, leads to a file and, if named, to an anchor of it. */
function brokenLink(target: string, from: string, page: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(from, decodeURIComponent(path)));
  if (!existsSync(file)) return `${page}: ${target}: no such file`;
  if (anchor === undefined || !file.endsWith('.md')) return null;
  return anchorsOf(file).has(anchor) ? null : `${page}: ${target}: no such heading`;
}

/**
 * Comments of a source file; strings that look like comments do no harm, since a citation does not belong there either.
 */
function commentsOf(source: string): string[] {
  return source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
}

/**
 * Whether a path is in the repository, or is made there by the build; the test runner takes the beginning of a path of
 * tests.
 */
function leadsToCode(path: string): boolean {
  if (existsSync(path) || path.includes('__generated__')) return true;
  return globSync(path.startsWith('test/') ? `${path}*` : path, { onlyFiles: false }).length > 0;
}

test('anchors of headings are derived as GitHub derives them', () => {
  expect(anchorOf('Why did this push (not) build')).toBe('why-did-this-push-not-build');
  expect(anchorOf('`slipway serve` and [its options](x.md)')).toBe('slipway-serve-and-its-options');
  expect(absent.test('as rest-facts 4.8 says')).toBe(true);
  expect(absent.test('(compatibility 23)')).toBe(true);
  expect(absent.test('the agent protocol under /v3')).toBe(false);
});

test('every relative link in a document leads to an existing file and heading', () => {
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => brokenLink(target, dirname(page), page) ?? []),
  );
  expect(broken).toEqual([]);
});

test('every document that code or another document names by path is in the repository', () => {
  const named = /(?<![\w/.-])docs\/[\w/.-]+\.md(?:#[\w-]+)?/g;
  const sources = globSync(['src/**/*.ts', 'test/**/*.{ts,mjs}', 'examples/*.mjs', '*.js', ...pages]);
  expect(sources.length).toBeGreaterThan(500);
  const broken = sources
    .filter((path) => path !== 'docs/conformance.md')
    .flatMap((path) => [...read(path).matchAll(named)].flatMap(([target]) => brokenLink(target, '.', path) ?? []));
  expect(broken).toEqual([]);
});

test('every path of code that a document names exists', () => {
  const named = /(?<![\w/.-])(?:\.\.\/)*((?:src|test|lint|scripts|bench|examples)\/[\w./*-]*\w\/?)/g;
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(named)].flatMap(([, path = '']) => (leadsToCode(path) ? [] : [`${page}: ${path}`])),
  );
  expect(leadsToCode('src/no-such-folder/file.ts')).toBe(false);
  expect(broken).toEqual([]);
});

test('no comment in src and no document cites a document outside the repository', () => {
  const comments = globSync('src/**/*.ts').flatMap((path) =>
    commentsOf(read(path))
      .filter((comment) => absent.test(comment))
      .map((comment) => `${path}: ${comment.slice(0, 120)}`),
  );
  const documents = pages
    .filter((path) => !['docs/conformance.md', 'docs/testing.md', 'docs/adding-an-operation.md'].includes(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (absent.test(line) ? [`${path}:${index + 1}: ${line.slice(0, 120)}`] : [])),
    );
  expect([...comments, ...documents]).toEqual([]);
});
