import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { GitRepository } from '../support/git-repository.js';
import { Program } from '../support/program.js';

const guide = readFileSync('docs/your-repository.md', 'utf8');

/** The fenced blocks of a language, in order. */
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

describe('docs/your-repository.md', () => {
  const directory = temporaryDirectory();
  const home = join(directory.path, 'home');
  const repository = new GitRepository();
  let program: Program;
  afterAll(async () => {
    await program.stop('SIGKILL');
    repository.remove();
    directory.remove();
  });

  test('its commands, typed as they stand, build a repository, take deliveries of three providers and install an agent', async () => {
    mkdirSync(home);
    const dataDir = join(directory.path, 'data');
    await migrateDataDirectory(dataDir);
    const [small = ''] = blocks('yaml');
    repository.commit({ '.buildkite/pipeline.yml': small });
    const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', HOME: home };
    program = Program.start(['dev', '--json'], env);
    const { url, token } = JSON.parse((await program.until(/^\{[^]*\n\}\n/, 120_000))[0]) as {
      url: string;
      token: string;
    };
    const [settings = '', ...others] = blocks('sh');
    const own = settings.replace('http://127.0.0.1:3000', url).replace('bkua_...', token);
    expect(own).not.toBe(settings);
    /** Types blocks into one shell, as a reader does, and returns what each of them printed. */
    const type = async (...typed: string[]): Promise<string[]> => {
      const { stdout, stderr } = await promisify(execFile)(
        '/bin/sh',
        ['-ec', [own, ...typed].join('\necho "----"\n')],
        {
          cwd: repository.path,
          env: { PATH: process.env['PATH'] ?? '', HOME: home },
        },
      );
      expect(stderr).toBe('');
      return stdout.split('----\n').slice(1);
    };
    const help = others.pop() ?? '';
    const [created, built, log, webhook, pushes, secret, agent] = await type(...others);
    expect(created).toBe(`${url}/demo/app\n`);
    expect(built).toMatch(/\nUpload: passed\n:hammer: Test: passed\n:package: Package: passed\n$/);
    expect(log).toContain('\nUploaded pipeline 1 of 1 from .buildkite/pipeline.yml\n');
    expect(webhook).toMatch(/^http\S+\/webhooks\/deliver\/\w+ [0-9a-f]{40}\n$/);
    expect(pushes?.match(/The delivery was received/g)).toHaveLength(3);
    expect(secret).toBe('DEPLOY_KEY\n');
    expect(agent).toMatch(/^linux\nslipway-agent \S+ is installed in /);
    // Deliveries are processed after their answer.
    await vi.waitFor(
      async () => {
        const lines = ((await type('NUMBER=1', help))[1] ?? '').split('\n');
        expect(lines.slice(0, 3).sort()).toEqual([
          expect.stringMatching(/^gitea push build Build \d was created$/),
          expect.stringMatching(/^github push build Build \d was created$/),
          expect.stringMatching(/^gitlab Push Hook build Build \d was created$/),
        ]);
        expect(lines.slice(3)).toEqual(['null', expect.stringMatching(/^bundled-agent connected/), '']);
      },
      { timeout: 30_000, interval: 100 },
    );
  }, 180_000);
});
