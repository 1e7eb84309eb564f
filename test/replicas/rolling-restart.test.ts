import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames } from '../../src/migrations/registry.js';
import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { formerProgram, formerRelease, noFormerProgram } from '../support/former-program.js';
import { ObjectServer, objectServerProgram } from '../support/object-server.js';
import { Program } from '../support/program.js';
import { installedProgram, ProxyProgram } from '../support/proxy-programs.js';
import { describeUnless, testUnless } from '../support/skips.js';
import { ownDatabase, queryAll, sharedAttempts } from './evidence.js';
import { Replica, secretKey } from './installation.js';
import { jobsOfEachBuild, ProxiedLoad } from './proxied-load.js';
import { testPort } from '../support/test-port.js';

const replicasCount = 3;
/** Characters of what tries and proxies tell of a failure. */
const mostEvidence = 20_000;

/** A request as nginx noted it. */
interface ProxiedRequest {
  beganAt: number;
  status: number;
  /** Address of the last replica that had it. */
  upstream: string;
  line: string;
}

/** A reply that ended before its end although its status was sent: what nginx noted of it among its errors. */
interface CutReply {
  upstream: string;
  line: string;
}

const logFormat = `log_format seen '$msec $request_time $status "$upstream_addr" $request_method $uri';\n`;

/** Starts the sample of `deploy` for nginx with all replicas; it notes each request in a file. */
function startNginx(port: number, replicas: readonly number[], log: string): ProxyProgram {
  const servers = replicas.map((replica) => `server 127.0.0.1:${replica} max_fails=1 fail_timeout=2s;`).join('\n');
  const text = readFileSync('deploy/nginx/slipway.conf', 'utf8')
    .replace('server 127.0.0.1:3000 max_fails=1 fail_timeout=2s;', servers)
    .replace('server 127.0.0.1:3001 max_fails=1 fail_timeout=2s;', '')
    .replace('listen 80;', `listen 127.0.0.1:${port}; access_log ${log} seen; error_log ${log}.errors;`);
  return ProxyProgram.nginx(installedProgram('nginx') ?? '', logFormat + text);
}

/** Starts the sample of `deploy` for Caddy, which asks `/readyz` of all replicas. */
function startCaddy(port: number, replicas: readonly number[]): ProxyProgram {
  const text = readFileSync('deploy/caddy/Caddyfile', 'utf8')
    .replace('127.0.0.1:3000 127.0.0.1:3001', replicas.map((replica) => `127.0.0.1:${replica}`).join(' '))
    .replace('ci.example.com {', `http://127.0.0.1:${port} {`);
  return ProxyProgram.caddy(installedProgram('caddy') ?? '', `{\nadmin off\n}\n${text}`);
}

function requestsOf(log: string): ProxiedRequest[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, endedAt = '0', seconds = '0', status = '0', upstreams = ''] =
        /^(\S+) (\S+) (\d+) "([^"]*)"/.exec(line) ?? [];
      const beganAt = (Number(endedAt) - Number(seconds)) * 1000;
      return { beganAt, status: Number(status), upstream: upstreams.split(', ').at(-1) ?? '', line };
    });
}

function cutRepliesOf(log: string): CutReply[] {
  return readFileSync(`${log}.errors`, 'utf8')
    .split('\n')
    .filter((line) => / while reading upstream,/.test(line))
    .map((line) => ({ upstream: /upstream: "http:\/\/([^/"]*)/.exec(line)?.[1] ?? '', line }));
}

const print = (what: string, { answered, failures, created, work }: ProxiedLoad, more: object = {}) =>
  process.stdout.write(
    `${what}: ${JSON.stringify({ answered, failed: failures, builds: created.length, jobs: work.logs.size, ...more })}\n`,
  );

const missing = ['nginx', 'caddy'].find((name) => installedProgram(name) === null);

describeUnless(missing ? `${missing} is not installed` : null, 'behind a proxy', () => {
  describeOnPostgres('three replicas on one PostgreSQL and one bucket', () => {
    const directory = temporaryDirectory();
    let own: Awaited<ReturnType<typeof ownDatabase>>;
    let bucket: ObjectServer | null = null;
    let proxies: ProxyProgram[] = [];
    let replicas: Replica[] = [];
    let ports: number[] = [];
    let urls = { nginx: '', caddy: '' };
    const log = join(directory.path, 'requests');
    const envOf = (port: number) => ({
      DATABASE_URL: own.url,
      // A machine of its own: nothing but the database and the storage is shared.
      DATA_DIR: join(directory.path, String(port)),
      STORAGE_URL: bucket?.url ?? `file:${join(directory.path, 'objects')}`,
      ...ObjectServer.credentials,
      SECRET_KEY: secretKey,
      PORT: String(port),
      BASE_URL: urls.nginx,
      TRUSTED_PROXIES: '127.0.0.1',
      // Caddy looks every two seconds, and on a busy machine later.
      DRAIN_DELAY: '5',
    });
    const start = (port: number, main?: string) => Replica.start(directory.path, envOf(port), [], main);

    beforeAll(async () => {
      const found = await objectServerProgram();
      if ('program' in found) bucket = await ObjectServer.start(found.program);
      else process.stderr.write(`a folder stands in for the bucket: ${found.reason}\n`);
      own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_three_${process.pid}_${Date.now()}`);
      ports = [];
      while (ports.length < replicasCount + 2) ports.push(await testPort());
      const [nginx = 0, caddy = 0] = ports.splice(0, 2);
      urls = { nginx: `http://127.0.0.1:${nginx}`, caddy: `http://127.0.0.1:${caddy}` };
      const main = noFormerProgram() === null ? formerProgram() : undefined;
      replicas = await Promise.all(ports.map((port) => start(port, main)));
      proxies = [startNginx(nginx, ports, log), startCaddy(caddy, ports)];
      for (const [index, url] of Object.values(urls).entries()) await proxies[index]?.answers(`${url}/healthz`);
      await vi.waitFor(async () => expect((await fetch(`${urls.caddy}/healthz`)).status).toBe(200), 20_000);
    }, 900_000);
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await bucket?.stop();
      await own.drop();
      directory.remove();
    });

    /** Requests that nginx answered with a 5xx, or that their clients gave up. */
    const failedRequests = () => requestsOf(log).filter(({ status }) => status >= 499);

    const errorsOfNginx = () => readFileSync(`${log}.errors`, 'utf8');

    /** Every job of every build has ended well, once, and what was stored of it is there. */
    async function expectWhole({ created, work }: ProxiedLoad): Promise<void> {
      expect(sharedAttempts(work)).toEqual([]);
      expect(new Set(created.map(({ number }) => number)).size).toBe(created.length);
      const ids = created.map(({ id }) => id);
      const states = await queryAll(
        own.url,
        `select state, passed, count(*)::int as count from jobs where build_id = any($1) and type = 'command' group by 1, 2`,
        [ids],
      );
      expect(states).toEqual([{ state: 'finished', passed: true, count: created.length * jobsOfEachBuild }]);
      const check = await Program.start(['check'], envOf(0)).ended;
      expect([check.stdout, check.stderr]).toEqual(['', expect.stringContaining('everything is as it should be')]);
    }

    testUnless(
      noFormerProgram(),
      `a rolling upgrade from ${formerRelease.version} fails no request but what that release cuts as it ends, and every job ends`,
      async () => {
        const load = new ProxiedLoad(urls.nginx);
        await load.start('upgrade');
        await load.more(5);
        for (const [index, port] of ports.entries()) {
          await replicas[index]?.stop();
          replicas[index] = await start(port);
          await load.more(5);
        }
        await load.stop();
        print('rolling upgrade', load);
        // The former release ends idle connections in the moment in which it stops to listen: a change that is on its
        // way on one of them fails there, and nowhere else (the restart below, of this release, fails none).
        const failed = failedRequests();
        expect(failed.filter(({ status }) => status !== 502 && status !== 503).map(({ line }) => line)).toEqual([]);
        expect(failed.length).toBeLessThanOrEqual(ports.length);
        expect(Object.values(load.failures).reduce((sum, count) => sum + count, 0)).toBe(failed.length);
        await expectWhole(load);
        const migrated = await queryAll(own.url, 'select count(*)::int as count from slipway_migrations');
        expect(migrated).toEqual([{ count: migrationNames.length }]);
      },
      300_000,
    );

    test.each(['nginx', 'caddy'] as const)(
      'a rolling restart of all behind %s fails no request, and every job ends',
      async (proxy) => {
        const load = new ProxiedLoad(urls[proxy]);
        await load.start(`restart-${proxy}`);
        await load.more(5);
        for (const replica of replicas) {
          await replica.stop();
          await replica.restart();
          await load.more(5);
        }
        await load.stop();
        print(`rolling restart behind ${proxy}`, load);
        const evidence = [...load.failedTries, ...proxies.map(({ output }) => output), errorsOfNginx()];
        expect(load.failures, evidence.join('\n').slice(-mostEvidence)).toEqual({});
        await expectWhole(load);
      },
      300_000,
    );

    test('kill -9 of one fails no request but those that it had, and every job ends', async () => {
      const load = new ProxiedLoad(urls.nginx, { readers: 16, pauseMs: 0 });
      await load.start('kill');
      await load.more(5);
      const before = { failed: failedRequests().length, cut: cutRepliesOf(log).length };
      const [victim] = replicas;
      const address = `127.0.0.1:${ports[0]}`;
      await victim?.kill();
      const diedAt = Date.now();
      await load.more(10);
      await victim?.restart();
      await load.more(5);
      await load.stop();
      const seen = () => ({
        failed: failedRequests().slice(before.failed),
        cut: cutRepliesOf(log).slice(before.cut),
      });
      // A line is written when the reply has been sent. Callers with no whole answer are those of the cut replies.
      const answers = Object.entries(load.failures).filter(([status]) => Number(status) >= 500);
      const callers = answers.reduce((sum, [, count]) => sum + count, 0);
      await vi.waitFor(() => {
        const what = JSON.stringify({ callers: load.failures, ...seen() });
        expect(seen().failed.length, what).toBeGreaterThanOrEqual(callers);
      }, 5_000);
      const { failed, cut } = seen();
      const foreign = [
        ...failed.filter(({ upstream, beganAt }) => upstream !== address || beganAt > diedAt),
        ...cut.filter(({ upstream }) => upstream !== address),
      ];
      print('kill -9 of one', load, { inFlightOnTheDead: failed.length + cut.length, others: foreign.length });
      expect(foreign.map(({ line }) => line)).toEqual([]);
      await expectWhole(load);
    }, 300_000);
  });
});
