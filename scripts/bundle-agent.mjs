/**
 * Makes the one file that the server hands out to other machines as `/agent/slipway-agent.mjs`: the bundled agent with
 * the packages it uses, compiled code in and one module out. Licences of the packages stand at its end. The installer
 * goes beside it.
 */
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { licenceText, packagesOf } from './bundled-packages.mjs';

const entry = 'slipway-agent-entry';

/** The package of file locks, and the platforms whose binary the bundle holds; on others there are no locks. */
const locks = 'fs-native-extensions';
const lockPlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * @param compiled folder of the compiled program, such as `dist`
 * @param target folder of the program that hands it out
 * @param version version that the agent reports
 * @returns the folder with `slipway-agent.mjs` and `install.sh`, `agent-bundle` in `target`
 */
export async function bundleAgent(compiled, target, version) {
  const program = join(compiled, 'commands', 'standalone-agent.js');
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? id : null),
        // The bundle has no package.json beside it: what it must know of itself is told here.
        load: (id) =>
          id === entry
            ? `import { fileURLToPath } from 'node:url';
               import { runStandaloneAgent } from ${JSON.stringify(program)};
               const path = fileURLToPath(import.meta.url);
               process.exitCode = await runStandaloneAgent(process.argv, { path, version: ${JSON.stringify(version)} });`
            : null,
      },
      {
        name: locks,
        resolveId: (id) => (id === locks ? { id: createRequire(import.meta.url).resolve(locks) } : null),
        load: (id) => (id.includes(`/node_modules/${locks}/`) ? nativeLocks(dirname(id)) : null),
      },
    ],
    // On a slow machine the bundler warns of its own time, which says nothing about what it makes.
    checks: { bundlerTimings: false },
    onLog: (level, log, print) => {
      if (level === 'warn') throw new Error(`the agent cannot be bundled: ${log.message}`);
      print(level, log);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: 'dce-only' });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const folder = join(target, 'agent-bundle');
  mkdirSync(folder, { recursive: true });
  copyFileSync(new URL('install-agent.sh', import.meta.url), join(folder, 'install.sh'));
  const file = join(folder, 'slipway-agent.mjs');
  // Named when it is whole: several processes may make it at once.
  writeFileSync(`${file}.${process.pid}`, `#!/usr/bin/env node\n${code}${licencesOf(packagesOf(moduleIds))}`);
  renameSync(`${file}.${process.pid}`, file);
  return folder;
}

/**
 * The package of file locks as one module: Node loads native code from a file, so that the binary of the platform is
 * written to a private folder for the moment of its loading.
 */
function nativeLocks(folder) {
  const binaries = lockPlatforms.map((platform) => [
    platform,
    readFileSync(join(folder, 'prebuilds', platform, `${locks}.node`), 'base64'),
  ]);
  return `
    import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { join } from 'node:path';
    const binaries = ${JSON.stringify(Object.fromEntries(binaries))};
    const binary = binaries[process.platform + '-' + process.arch];
    if (binary === undefined) throw new Error('no file locks for ' + process.platform + '-' + process.arch);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-agent-'));
    const module = { exports: {} };
    try {
      const path = join(folder, 'locks.node');
      writeFileSync(path, Buffer.from(binary, 'base64'));
      process.dlopen(module, path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    export function tryLock(file) {
      try {
        module.exports.tryLock(file, 0, 0, true);
        return true;
      } catch (error) {
        if (error.code === 'EAGAIN') return false;
        throw error;
      }
    }`;
}

function licencesOf(packages) {
  return `\n/*\nThis file holds these packages:\n\n${licenceText(packages).replaceAll('*/', '* /')}\n*/\n`;
}
