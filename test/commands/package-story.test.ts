import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/directory.js';
import { describeUnless } from '../support/skips.js';

const execute = promisify(execFile);
const { PATH = '', HOME = '' } = process.env;
const npm = (args: string[], cwd: string) =>
  execute('npm', args, { cwd, timeout: 180_000, maxBuffer: 16 * 1024 * 1024, env: { PATH, HOME } });

const megabytesAtMost = 150;

/** All that goes into the package: the built program, its documents, and samples. */
const packed = [
  /^package\.json$/,
  /^(CHANGELOG|LICENSE|README|SECURITY)(\.md)?$/,
  /^docs\/[\w-]+\.md$/,
  /^(examples\/slipway\.yaml|deploy\/.+)$/,
  /^dist\/(main|workers\/entry|agent\/job-commands\/main)\.js(\.map)?$/,
  /^dist\/chunks\/[\w.-]+\.js(\.map)?$/,
  /^dist\/(agent-bundle|console|reference-viewer|skills)\/[\w./-]+$/,
  /^dist\/(build-info|bundled-packages)\.json$/,
  /^dist\/(licences\.txt|prepared-database\.tar\.gz)$/,
];

/** Bytes of a folder and of all below it. */
const bytesOf = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

async function missing(): Promise<string | null> {
  if (!existsSync('dist/build-info.json') || !existsSync('dist/console/index.html'))
    return 'there is no build to pack: npm run build';
  const registry = await npm(['ping', '--fetch-retries=0', '--fetch-timeout=10000'], '.').catch(() => null);
  return registry ? null : "npm's registry does not answer";
}

describeUnless(await missing(), 'the package that npm pack makes', () => {
  const directory = temporaryDirectory();
  const folder = join(directory.path, 'empty');
  let tarball: Packed;
  let server: ChildProcess | null = null;
  beforeAll(async () => {
    // The build is that of `npm ci`; `npm pack` without the option makes it again.
    const { stdout } = await npm(
      ['pack', '--ignore-scripts', '--json', '--pack-destination', directory.path],
      resolve('.'),
    );
    [tarball] = JSON.parse(stdout) as [Packed];
  });
  afterAll(() => {
    server?.kill('SIGKILL');
    directory.remove();
  });

  test('has the program, documents and samples, and nothing else of this checkout', async () => {
    const others = tarball.files.map(({ path }) => path).filter((path) => !packed.some((kind) => kind.test(path)));
    expect(others).toEqual([]);
    const inside = join(directory.path, 'inside');
    mkdirSync(inside);
    await execute('tar', ['-xzf', join(directory.path, tarball.filename), '-C', inside]);
    const naming = tarball.files.filter(({ path }) =>
      readFileSync(join(inside, 'package', path)).includes(`${resolve('.')}/`),
    );
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  test('installs in an empty folder without a build, in less than 150 MB, and passes a build there', async () => {
    mkdirSync(folder);
    await npm(
      ['install', '--no-audit', '--no-fund', '--prefer-offline', join(directory.path, tarball.filename)],
      folder,
    );
    const megabytes = bytesOf(join(folder, 'node_modules')) / 1e6;
    process.stderr.write(
      `package: ${(tarball.size / 1e6).toFixed(1)} MB packed, ${(tarball.unpackedSize / 1e6).toFixed(1)} MB unpacked, ` +
        `${megabytes.toFixed(1)} MB installed with its dependencies\n`,
    );
    expect(megabytes).toBeLessThan(megabytesAtMost);

    const program = join(folder, 'node_modules', '.bin', 'slipway');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { commit } = JSON.parse(readFileSync('dist/build-info.json', 'utf8')) as { commit: string | null };
    const { stdout } = await execute(program, ['--version'], { cwd: folder });
    expect(stdout).toBe(`${version}${commit === null ? '' : ` (${commit.slice(0, 12)})`}\n`);

    const { url, token, commands } = await dev(program);
    // The first two make a pipeline and a build.
    for (const command of commands.slice(0, 2)) await execute('/bin/sh', ['-c', command]);
    const read = async () => {
      const build = `${url}/v2/organizations/demo/pipelines/hello/builds/1`;
      const reply = await fetch(build, { headers: { authorization: `Bearer ${token}` } });
      return (await reply.json()) as { state: string };
    };
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'passed' }), {
      timeout: 60_000,
      interval: 500,
    });

    // What is read from files beside the program.
    const browser = { headers: { accept: 'text/html' } };
    const page = await (await fetch(`${url}/`, browser)).text();
    const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    const paths = [
      asset,
      '/docs/',
      '/docs/swagger-ui-bundle.js',
      '/graphql',
      '/agent/install.sh',
      '/agent/slipway-agent.mjs',
    ];
    const replies = await Promise.all(paths.map(async (path) => [path, (await fetch(url + path, browser)).status]));
    expect(replies).toEqual(paths.map((path) => [path, 200]));
  }, 300_000);

  /** Starts `slipway dev` in the folder and reads what it prints. */
  async function dev(program: string): Promise<{ url: string; token: string; commands: string[] }> {
    const env = { PATH, HOME, PORT: '0', LOG_LEVEL: 'warn' };
    const child = spawn(program, ['dev', '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    server = child;
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const isComplete = () => output.endsWith('\n}\n') || child.exitCode !== null;
    await vi.waitUntil(isComplete, { timeout: 120_000 });
    if (child.exitCode !== null) throw new Error(output + errors);
    return JSON.parse(output) as { url: string; token: string; commands: string[] };
  }
});
