/**
 * Builds the web console into dist/console: the Relay compiler reads `schema.graphql` and the documents of the pages,
 * Vite bundles, and every asset is compressed once here instead of at each request. `documents.json` and `pages.json` tell the
 * server which documents the console sends and which pages it has.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../src/console', import.meta.url));
const relayCompiler = fileURLToPath(new URL('../node_modules/relay-compiler/cli.js', import.meta.url));

/** Writes src/console/__generated__: types and compiled documents. Throws when a document does not fit the schema. */
export function generateConsole() {
  mkdirSync(join(folder, '__generated__'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [relayCompiler, join(folder, 'relay.config.json')], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the console's documents do not fit schema.graphql:\n${stdout}${stderr}`);
}

/** @param compiled folder of the compiled program, such as `dist`; the console goes into its folder `console` */
export async function buildConsole(compiled) {
  generateConsole();
  const { build, runnerImport } = await import('vite');
  await build({
    configFile: join(folder, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: join(compiled, 'console'), emptyOutDir: true, license: { fileName: 'packages.json' } },
  });
  compressAssets(join(compiled, 'console', 'assets'));
  writeFileSync(join(compiled, 'console', 'documents.json'), JSON.stringify(documentHashes()));
  // The server answers 200 at the addresses of these pages and 404 at others (src/web/console/pages.ts).
  const { module } = await runnerImport(join(folder, 'app', 'routes.ts'), { configFile: false, logLevel: 'warn' });
  writeFileSync(join(compiled, 'console', 'pages.json'), JSON.stringify(module.pagePaths()));
}

/** SHA-256 of every document that the console sends: an installation that takes listed documents only takes these too. */
function documentHashes() {
  const generated = join(folder, '__generated__');
  return readdirSync(generated).flatMap((name) => {
    const [, text] = /^ {4}"text": (".*"),?$/m.exec(readFileSync(join(generated, name), 'utf8')) ?? [];
    return text ? [createHash('sha256').update(JSON.parse(text)).digest('hex')] : [];
  });
}

const compressible = /\.(js|css|svg|json)$/;

function compressAssets(assets) {
  for (const name of readdirSync(assets).filter((file) => compressible.test(file))) {
    const bytes = readFileSync(join(assets, name));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, quality));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--types') generateConsole();
  else await buildConsole(fileURLToPath(new URL('../dist', import.meta.url)));
}
