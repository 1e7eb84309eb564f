import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const root = manifest('package.json');

/** Packages that these files name in an import, a dynamic import or a resolve. */
function importsOf(patterns: string[]): Set<string> {
  const names = new Set<string>();
  for (const path of globSync(patterns)) {
    const source = readFileSync(path, 'utf8');
    for (const [, name = ''] of source.matchAll(/['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g)) names.add(name);
  }
  return names;
}

/** Packages that an installed dependency requires its user to install. */
function requiredPeers(names: string[]): Set<string> {
  return new Set(
    names.flatMap((name) => {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest(`node_modules/${name}/package.json`);
      return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    }),
  );
}

test('every runtime dependency is imported by src or required as a peer by another dependency', () => {
  const imported = importsOf(['src/**/*.ts', 'mikro-orm.config.ts']);
  const peers = requiredPeers(Object.keys(root.dependencies));
  const unused = Object.keys(root.dependencies).filter((name) => !imported.has(name) && !peers.has(name));
  expect(unused).toEqual([]);
});

test('every development dependency is used by a test, an example, a benchmark, a script or a configuration file', () => {
  const named = importsOf([
    'test/**/*.{ts,js,mjs}',
    'bench/**/*.mjs',
    'examples/**/*.{mjs,ts}',
    'scripts/*.mjs',
    'src/console/**/*.{ts,tsx,mjs}',
    '*.{js,ts}',
  ]);
  const scripts = readFileSync('package.json', 'utf8') + readFileSync('.ci/run', 'utf8');
  const tools = new Map([
    ['typescript', 'tsc '],
    // Run as a program, by its path.
    ['relay-compiler', 'scripts/build-console.mjs'],
    ['@swc/core', ''],
  ]);
  const unused = Object.keys(root.devDependencies).filter(
    (name) =>
      !named.has(name) &&
      !(tools.has(name) && tools.get(name) !== '' && scripts.includes(tools.get(name) ?? name)) &&
      !scripts.includes(`"${name} `) &&
      !scripts.includes(`&& ${name} `) &&
      !isTypesOf(name, named),
  );
  expect(unused).toEqual([]);
});

/** Types belong to a package that src or a test imports. */
function isTypesOf(name: string, named: Set<string>): boolean {
  if (!name.startsWith('@types/')) return false;
  const subject = name.slice('@types/'.length);
  return subject === 'node' || subject in root.dependencies || named.has(subject);
}
