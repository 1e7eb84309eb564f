import { startAgent } from '../../src/agent/session/start-agent.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { temporaryDirectory } from '../support/database.js';
import { buildOf, jobNow } from '../support/scripted-agent.js';
import { logTextOf, serveWorld } from '../support/served-world.js';

describe('artifacts uploaded by the bundled agent to a real server', () => {
  let on: ArtifactWorld;
  let close: () => Promise<void>;
  let refuse: (path: string) => number | null = () => null;
  const builds = temporaryDirectory();
  beforeAll(async () => {
    on = await ArtifactWorld.create();
    close = await serveWorld(on, (request, response) => {
      const status = refuse(`${request.method} ${request.url}`);
      if (status === null) on.app(request, response);
      else request.resume().on('end', () => response.writeHead(status).end('{"message":"not now"}'));
    });
  });
  afterEach(() => void (refuse = () => null));
  afterAll(async () => {
    await close();
    builds.remove();
  });

  async function run(command: string, paths: string) {
    const { first } = await buildOf(on.world, JSON.stringify({ steps: [{ command, artifact_paths: paths }] }), {
      env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    await startAgent({
      endpoint: `${on.world.services.baseUrl}/v3`,
      token: on.world.agentToken,
      buildPath: builds.path,
      version: '1.2.3',
      // Without waiting for its turn to ping.
      acquireJob: first.id,
      retryScale: 0.001,
    });
    const log = await logTextOf(on, first.id);
    const list = (await on.rest('get', `/organizations/acme/jobs/${first.id}/artifacts?per_page=100`).expect(200))
      .body as { path: string; state: string; id: string; download_url: string }[];
    return { job: await jobNow(on.world, first.id), log, list };
  }
  const download = async (url: string) => {
    const { headers } = await on.rest('get', new URL(url).pathname.replace('/v2', '')).expect(302);
    return (await fetch(String(headers['location']))).text();
  };

  test('the files of a passed or failed job are uploaded and can be downloaded', async () => {
    const { job, log, list } = await run(
      'mkdir -p out/sub; echo one > out/1.txt; echo two > out/sub/2.txt; : > out/empty; for n in $(seq 40); do echo $$n > out/n$$n.log; done; exit 3',
      'out/**/*.txt;out/empty;out/*.log;out/*.nothing',
    );
    expect(job).toMatchObject({ state: 'finished', exitStatus: 3 });
    expect(list.map(({ path }) => path).sort()).toEqual(
      ['out/1.txt', 'out/sub/2.txt', 'out/empty', ...Array.from({ length: 40 }, (_, n) => `out/n${n + 1}.log`)].sort(),
    );
    expect(new Set(list.map(({ state }) => state))).toEqual(new Set(['finished']));
    const texts = Object.fromEntries(
      await Promise.all(
        list
          .slice(0, 5)
          .concat(list.filter(({ path }) => !path.endsWith('.log')))
          .map(async ({ path, download_url: url }) => [path, await download(url)]),
      ),
    );
    expect(texts).toMatchObject({ 'out/1.txt': 'one\n', 'out/sub/2.txt': 'two\n', 'out/empty': '' });
    expect(log).toContain(
      '~~~ Uploading artifacts\nFound 43 files that match "out/**/*.txt;out/empty;out/*.log;out/*.nothing"\n',
    );
    expect(log).toContain('Uploading artifact out/1.txt (4 bytes)\n');
    expect(log).toContain('Uploaded 43 of 43 artifacts\n');
  }, 40_000);

  test('the job log says when no file matches the artifact paths', async () => {
    const { job, log, list } = await run('true', 'nothing/*');
    expect([job.exitStatus, list]).toEqual([0, []]);
    expect(log).toContain('No files matched paths: nothing/*\n');
  }, 40_000);

  test('an upload that is answered 503 is retried until it succeeds', async () => {
    let left = 3;
    refuse = (call) => (/artifacts$|\/files\/uploads/.test(call.split('?')[0] ?? '') && left-- > 0 ? 503 : null);
    const { job, list } = await run('echo again > a.txt', 'a.txt');
    expect([job.exitStatus, list.map(({ state }) => state), left < 0]).toEqual([0, ['finished'], true]);
  }, 40_000);

  test('a job whose artifacts cannot be uploaded fails', async () => {
    refuse = (call) => (call.startsWith('PUT /files/uploads/') ? 403 : null);
    const { job, log, list } = await run('echo lost > a.txt', 'a.txt');
    expect([job.exitStatus, list.map(({ state }) => state)]).toEqual([1, ['error']]);
    expect(log).toContain('🚨 Error: a.txt was not uploaded: the server answered 403: not now\n');
    expect(log).toContain('🚨 Error: Uploaded 0 of 1 artifact\n');
    refuse = (call) => (call.startsWith('POST') && call.endsWith('/artifacts') ? 422 : null);
    const refused = await run('echo lost > a.txt; exit 4', 'a.txt');
    expect([refused.job.exitStatus, refused.list]).toEqual([4, []]);
    expect(refused.log).toContain('The artifacts could not be uploaded: ');
  }, 40_000);
});
