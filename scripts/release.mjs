/**
 * `npm run release -- [FOLDER]`: the files of a release, by default in `release`: the package that `npm pack` makes, an SBOM in
 * CycloneDX of what is in it and of what it installs, a provenance statement, and checksums (docs/releasing.md).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeProvenance } from './release-provenance.mjs';
import { componentsOfPackage } from './release-sbom.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const run = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 });
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const changes = run('git', 'status', '--porcelain').trim();
if (changes !== '') {
  console.error(`error: a release is made of a commit, and these files are not in one:\n${changes}`);
  process.exit(1);
}
const folder = resolve(process.argv[2] ?? 'release');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const startedOn = new Date().toISOString();
run(process.execPath, 'scripts/prepare.mjs');
// Built just now, from a clean checkout.
const [{ filename }] = JSON.parse(run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder));
const { version, commit } = readJson('dist/build-info.json');

const bundled = [
  ...readJson('dist/bundled-packages.json'),
  ...readJson('dist/console/packages.json').map((each) => `${each.name}@${each.version}`),
];
const sbom = componentsOfPackage(JSON.parse(run('npm', 'sbom', '--sbom-format=cyclonedx')), new Set(bundled));
const files = new Map([
  [filename, readFileSync(join(folder, filename))],
  [`slipway-${version}.cdx.json`, Buffer.from(json(sbom))],
]);
const digests = new Map([...files].map(([name, bytes]) => [name, sha256(bytes)]));
const provenance = describeProvenance({
  digests,
  commit,
  repository: originOf(),
  lockDigest: sha256(readFileSync('package-lock.json')),
  tools: { node: process.versions.node, npm: run('npm', '--version').trim() },
  times: { startedOn, finishedOn: new Date().toISOString() },
});
files.set(`slipway-${version}.provenance.json`, Buffer.from(json(provenance)));
for (const [name, bytes] of files) if (name !== filename) writeFileSync(join(folder, name), bytes);
const sums = [...files].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join('');
writeFileSync(join(folder, 'SHA256SUMS'), sums);
process.stdout.write(sums);

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The address of the repository without credentials; null for a checkout that came from none. */
function originOf() {
  try {
    return run('git', 'config', '--get', 'remote.origin.url')
      .trim()
      .replace(/\/\/[^/@]*@/, '//');
  } catch {
    return null;
  }
}
