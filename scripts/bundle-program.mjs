/**
 * Puts the compiled program and the packages it uses into a few hundred files, because most of a start is the finding, reading
 * and linking of modules: what is imported together becomes one chunk, and what a command or request
 * imports when it runs stays a chunk of its own. Compiled modules stay beside it for those that import single ones.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { licenceText, packagesOf } from './bundled-packages.mjs';

/** Files that are started by path: the program, its threads, and the `buildkite-agent` of jobs. */
const entries = ['main', 'workers/entry', 'agent/job-commands/main'];

/**
 * Packages that find files beside their own (WebAssembly, native code, threads), one whose tables of old encodings
 * nobody asks for, and two that nothing installs. Those that are installed are all of `dependencies` in package.json.
 */
const unbundled = [
  '@electric-sql/pglite',
  'fs-native-extensions',
  'piscina',
  'pino-pretty',
  'iconv-lite',
  'class-validator',
  'pg-native',
];

/**
 * Writes the bundled entries, in `chunks` what they share, and names and licences of the packages that are in them.
 * @param compiled folder of the compiled program, such as `dist`
 * @param target folder to write to; where it is `compiled`, the bundled entries take the place of the compiled ones
 */
export async function bundleProgram(compiled, target) {
  // Modules that find files beside their own, by id.
  const finding = new Set();
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(compiled, `${name}.js`)])),
    platform: 'node',
    external: (id) => unbundled.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [migrationFiles(compiled), columns(compiled), ownFiles(compiled, finding)],
    // On a slow machine the bundler warns of its own time, which says nothing about what it makes.
    checks: { bundlerTimings: false },
    onLog: (level, log, print) => {
      if (level === 'warn') throw new Error(`the program cannot be bundled: ${log.message}`);
      print(level, log);
    },
  });
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    // The engine keeps the text of all it runs: without comments, and in one byte a character where a single other one would
    // make it two for the whole chunk. Lines stay, for the stack traces of packages.
    minify: {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: false, asciiOnly: true, legalComments: 'inline' },
    },
    comments: { legal: true, annotation: false, jsdoc: false },
    // The GraphQL schema is named by its classes.
    keepNames: true,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: ({ fileName, moduleIds }) => (moduleIds.some((id) => finding.has(id)) ? compiledFolderFrom(fileName) : ''),
  });
  await bundle.close();
  const packages = packagesOf(output.flatMap(({ moduleIds = [] }) => moduleIds));
  writeFileSync(join(target, 'licences.txt'), `The chunks hold these packages:\n\n${licenceText(packages)}\n`);
  writeFileSync(
    join(target, 'bundled-packages.json'),
    `${JSON.stringify(packages.map(({ name, version }) => `${name}@${version}`))}\n`,
  );
  for (const { fileName } of output.filter((file) => file.fileName.endsWith('.map'))) {
    const file = join(target, fileName);
    writeFileSync(file, withoutSources(readFileSync(file, 'utf8')));
  }
}

/** Declares the folder of the program in a chunk. */
function compiledFolderFrom(fileName) {
  const up = '../'.repeat(fileName.split('/').length - 1) || './';
  return `const compiledFolder = new URL('${up}', import.meta.url);`;
}

/** Compiled modules with their source maps; one that finds files beside its own finds them from the chunk that it is in. */
function ownFiles(compiled, finding) {
  const pageOfGraphiql = join(compiled, 'graphql', 'graphiql', 'page.js');
  return {
    name: 'own-files',
    load(id) {
      if (!id.startsWith(compiled + sep)) return null;
      const code = readFileSync(id, 'utf8');
      const map = sourceMapOf(id);
      if (id === pageOfGraphiql) return { code: withLiteralImport(code), map };
      if (!code.includes('import.meta.url')) return { code, map };
      finding.add(id);
      const own = JSON.stringify(relative(compiled, id).replaceAll(sep, '/'));
      // On one line, so that lines of the source map stay right.
      return { code: code.replaceAll('import.meta.url', `new URL(${own}, compiledFolder).href`), map };
    },
    // Stack traces name lines of ours; those of packages stay lines of the chunk, and their maps would be most of the memory.
    transform(code, id) {
      return id.startsWith(compiled + sep) ? null : { code, map: { version: 3, sources: [], names: [], mappings: '' } };
    },
  };
}

/** The page of GraphiQL imports its package by a variable, which would leave it and twenty others to be installed. */
function withLiteralImport(code) {
  const literal = code.replace('import(library)', `import('@graphql-yoga/render-graphiql')`);
  if (literal === code) throw new Error('src/graphql/graphiql/page.ts does not import its library by `library`');
  return literal;
}

/** The source map of a compiled module, with absolute paths. */
function sourceMapOf(id) {
  const map = JSON.parse(readFileSync(`${id}.map`, 'utf8'));
  return { ...map, sources: map.sources.map((source) => resolve(dirname(id), source)) };
}

/** Leaves the text of the sources out of source maps: Node keeps in memory what it reads of them, and needs only places. */
function withoutSources(text) {
  return JSON.stringify({ ...JSON.parse(text), sourcesContent: undefined });
}

/** What the entities say of the columns is computed here, so that a server needs neither them nor MikroORM. */
function columns(compiled) {
  const file = join(compiled, 'entities', 'columns-by-table.js');
  return {
    name: 'columns',
    async load(id) {
      if (id !== file) return null;
      const { columnsByTable } = await import(pathToFileURL(file).href);
      return `export const columnsByTable = ${JSON.stringify(columnsByTable)};`;
    },
  };
}

/** The migrations are found by reading their folder; in a bundle they are named, and imported as one chunk. */
function migrationFiles(compiled) {
  const folder = join(compiled, 'migrations');
  const all = join(folder, 'all.js');
  return {
    name: 'migration-files',
    resolveId: (id, importer) => (id === './all.js' && importer === join(folder, 'files.js') ? all : null),
    load(id) {
      if (id !== join(folder, 'files.js') && id !== all) return null;
      const names = readdirSync(folder)
        .flatMap((file) => /^(\d{14}-[\w-]+)\.js$/.exec(file)?.[1] ?? [])
        .sort();
      if (id === all) {
        const imports = names.map((name, index) => `import * as file${index} from './${name}.js';`);
        return `${imports.join('\n')}\nexport default [${names.map((_, index) => `file${index}`).join(', ')}];\n`;
      }
      return `export const names = ${JSON.stringify(names)};
export const importFiles = async () => (await import('./all.js')).default;
`;
    },
  };
}
