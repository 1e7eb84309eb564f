import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '../../src/server/config.js';
import { ConfigError } from '../../src/services/config-error.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { openSingleSignOn } from '../../src/providers/single-sign-on.js';
import { checkStart } from '../../src/server/start-checks.js';
import type { Logger } from '../../src/services/services.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { StorageError, type ObjectStorage } from '../../src/storage/storage.js';
import { S3Server } from '../storage/s3-server.js';
import { temporaryDirectory } from '../support/database.js';
import { OidcProvider } from '../support/oidc-provider.js';
import { builtProgram, Program } from '../support/program.js';

const warnings: string[] = [];
const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_fields, message) => void warnings.push(message ?? ''),
  error: () => undefined,
};

/** What the checks say of an environment: the refusal, or null, and the warnings. */
async function check(env: Record<string, string>, storage?: ObjectStorage): Promise<[string | null, string[]]> {
  warnings.length = 0;
  const config = readConfig(env);
  const outbound = openOutbound({ allow: config.outboundAllow });
  try {
    await checkStart(config, {
      storage: storage ?? openStorage(config.storageUrl, { dataDir: config.dataDir }),
      singleSignOn: config.singleSignOn ? openSingleSignOn(config.singleSignOn, outbound) : undefined,
      log,
    });
    return [null, [...warnings]];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message, [...warnings]];
  } finally {
    await outbound.close();
  }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('storage at start', () => {
  const directory = temporaryDirectory();
  const s3 = new S3Server();
  const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const before = credentials.map((name) => process.env[name]);
  let endpoint: string;

  beforeAll(async () => {
    endpoint = await s3.start();
    for (const name of credentials) process.env[name] = 'of-the-test';
  });
  afterAll(async () => {
    credentials.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    });
    await s3.stop();
    directory.remove();
  });

  test('storage that writes and reads is accepted, on disk and in a bucket', async () => {
    expect(await check({ DATA_DIR: directory.path })).toEqual([null, []]);
    expect(await check({ STORAGE_URL: `s3://bucket/logs?endpoint=${endpoint}` })).toEqual([null, []]);
  });

  test('a file in the place of the directory is named', async () => {
    const file = join(directory.path, 'a-file');
    writeFileSync(file, '');
    const [message] = await check({ STORAGE_URL: `file:${file}` });
    expect(message).toBe(`STORAGE_URL: ${file} is not a directory (ENOTDIR): name one`);
  });

  test.each([
    ['EACCES', 'may not be written by the user of this process (EACCES): change its owner'],
    ['EROFS', 'is on a file system that is mounted read-only (EROFS): mount it for writing'],
  ])('a directory that fails with %s is named with what to change', async (code, reason) => {
    const cause = Object.assign(new Error(code), { code });
    const refuse = () => Promise.reject(new StorageError('unavailable', 'x', { cause }));
    const storage = { put: refuse } as unknown as ObjectStorage;
    expect((await check({ STORAGE_URL: 'file:/srv/slipway' }, storage))[0]).toContain(
      `STORAGE_URL: /srv/slipway ${reason}`,
    );
    expect((await check({ DATA_DIR: '/srv/data' }, storage))[0]).toContain(`DATA_DIR: /srv/data/objects ${reason}`);
  });

  test('a full disk does not prevent the start, because what is stored can be read, and is a warning', async () => {
    const cause = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const put = () => Promise.reject(new StorageError('full', 'No space left in storage', { cause }));
    const [message, warned] = await check({ STORAGE_URL: 'file:/srv/slipway' }, { put } as unknown as ObjectStorage);
    expect(message).toBeNull();
    expect(warned).toEqual([
      expect.stringContaining('STORAGE_URL: /srv/slipway has no space left (ENOSPC): make room'),
    ]);
  });

  test('storage that forgets what it was given is refused', async () => {
    const storage = { put: async () => 1, get: async () => Readable.from([Buffer.from('other')]) };
    const [message] = await check({ STORAGE_URL: 'file:/srv/slipway' }, storage as unknown as ObjectStorage);
    expect(message).toContain('cannot be used (what was read back differs from what was stored)');
  });

  test('a bucket that does not exist is named with its endpoint', async () => {
    const [message] = await check({ STORAGE_URL: `s3://bucekt/logs?endpoint=${endpoint}` });
    expect(message).toBe(`STORAGE_URL: bucket bucekt at ${endpoint} does not exist: create it, or correct its name`);
  });

  test('an endpoint where nothing listens is named', async () => {
    const [message] = await check({ STORAGE_URL: 's3://bucket?endpoint=http://127.0.0.1:1' });
    expect(message).toContain('bucket bucket at http://127.0.0.1:1 cannot be reached, nothing listens there');
  });

  test.each([
    [403, 'SignatureDoesNotMatch', 'refuses the credentials (SignatureDoesNotMatch): correct AWS_ACCESS_KEY_ID'],
    [403, 'AccessDenied', 'refuses the credentials (AccessDenied)'],
    [301, 'PermanentRedirect', 'is not in the region eu-north-1: set ?region='],
  ])('a bucket that answers %s %s is named with what to change', async (status, code, reason) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
    });
    const url = await listening(server);
    const [message] = await check({ STORAGE_URL: `s3://bucket?region=eu-north-1&endpoint=${url}` });
    server.closeAllConnections();
    server.close();
    expect(message).toContain(`STORAGE_URL: bucket bucket at ${url} ${reason}`);
  });
});

describe('single sign-on at start', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());
  const checkIssuer = (issuer: string, env: Record<string, string> = { OUTBOUND_ALLOW: '127.0.0.1' }) =>
    check({
      DATA_DIR: directory.path,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'hunter2',
      ...env,
    });

  test('a provider that describes itself is accepted', async () => {
    const provider = await OidcProvider.open(['http://127.0.0.1/login/oidc/callback']);
    expect(await checkIssuer(provider.issuer)).toEqual([null, []]);
    provider.close();
  });

  test('an address that is no provider, or that of another one, is refused and named', async () => {
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/other/')) return void response.writeHead(404).end();
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ issuer: 'https://id.example.com', authorization_endpoint: 'https://id.example.com/a' }),
      );
    });
    const url = await listening(server);
    const [missing] = await checkIssuer(`${url}/realms/acme/`);
    const [other] = await checkIssuer(`${url}/other`);
    server.closeAllConnections();
    server.close();
    expect(missing).toMatch(`OIDC_ISSUER: ${url}/realms/acme/.well-known/openid-configuration cannot be used: `);
    expect(missing).toContain('404');
    expect(other).toContain('does not match the expected issuer');
    for (const message of [missing, other]) expect(message).not.toMatch(/hunter2|\n/);
  });

  test('a provider in a private network is refused with the variable that would allow it', async () => {
    const [message] = await checkIssuer('http://127.0.0.1:1', {});
    expect(message).toContain('only where OUTBOUND_ALLOW names it');
  });

  test('a provider that does not answer at present is a warning: passwords, agents and tokens work without it', async () => {
    const faulty = createServer((_request, response) => void response.writeHead(503).end());
    const url = await listening(faulty);
    expect(await checkIssuer('http://127.0.0.1:1')).toEqual([
      null,
      [expect.stringMatching(/^OIDC_ISSUER: http:\/\/127\.0\.0\.1:1\/\.well-known\/.* cannot be read: .*ECONNREFUSED/)],
    ]);
    expect(await checkIssuer(url)).toEqual([null, [expect.stringContaining('503')]]);
    faulty.closeAllConnections();
    faulty.close();
  });
});

describe('a start that is refused', () => {
  const directory = temporaryDirectory();
  // Whichever file is the first to need it builds it.
  beforeAll(() => void builtProgram(), 180_000);
  afterAll(() => directory.remove());

  test('everything that cannot be used is named in one message', async () => {
    const [message] = await check({
      DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/slipway',
      SECRET_KEY: 'k'.repeat(40),
      STORAGE_URL: `file:${process.execPath}`,
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
    });
    expect(message?.split('\n')).toEqual([
      'the configuration cannot be used:',
      expect.stringMatching(/^ {2}DATABASE_URL: nothing listens at 127\.0\.0\.1:1 /),
      expect.stringMatching(/^ {2}STORAGE_URL: /),
      expect.stringMatching(/^ {2}OIDC_ISSUER: /),
    ]);
  });

  test.each([
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/slipway' },
      'nothing listens at 127.0.0.1:1',
    ],
    ['unusable storage', { STORAGE_URL: `file:${process.execPath}` }, `${process.execPath} is not a directory`],
  ])(
    'slipway serve with %s exits 1 with one line on standard error',
    async (_what, env, reason) => {
      const { code, stdout, stderr } = await Program.run(['serve'], {
        PORT: '0',
        DATA_DIR: join(directory.path, 'data'),
        SECRET_KEY: 'k'.repeat(40),
        ...env,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
      expect(stderr).toContain(reason);
    },
    60_000,
  );

  test('an older Node is refused in one line before any module is loaded that it cannot load', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`;
    const program = Program.start(['serve'], {}, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
    expect(await program.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `error: Node 18.20.8 (${process.execPath}) is too old for Slipway: install Node 22.17 or newer of the lines 22 and 24\n`,
    });
  }, 60_000);
});
