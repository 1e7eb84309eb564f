import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../support/directory.js';
import { ownDatabase } from '../replicas/evidence.js';
import { Replica, userToken } from '../replicas/installation.js';

/**
 * Sends requests that Schemathesis derives from /v2/openapi.json to a server of its own, with every check, and prints
 * what failed: `npm run -s test:schemathesis -- --minutes 5`. Skipped with a word where Schemathesis is not installed.
 * Ends with 1 where a check failed or the server logged an error.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    database: { type: 'string', default: 'embedded' },
    stranger: { type: 'boolean', default: false },
    seed: { type: 'string' },
    program: { type: 'string', default: process.env['SCHEMATHESIS'] ?? 'schemathesis' },
    out: { type: 'string', default: 'tmp/schemathesis' },
  },
});
/** Absolute, because the program is started in it. */
const folder = resolve(values.out);
const print = (text: string) => process.stdout.write(`${text}\n`);

/** Operations that would take the token its rights, after which every further reply is 401, 403 or 404. */
const endingTheToken = [
  'access-token.revoke',
  'api-token.revoke-access',
  'organization.update-api-settings',
  'organization-member.delete',
  'organization-member.update',
];

/**
 * What the generated requests find: the organization is always this one, the rest is in the examples of the document.
 */
async function furnish(url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${url}/v2${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${userToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status} ${await reply.text()}`);
  };
  const organization = '/organizations/acme';
  await post(`${organization}/pipelines`, {
    name: 'Hello',
    repository: 'https://git.example.com/acme/hello.git',
    configuration: 'steps: [{ label: Hello, command: echo hello }, { block: Release }]',
  });
  for (const branch of ['main', 'next'])
    await post(`${organization}/pipelines/hello/builds`, { commit: 'HEAD', branch, message: 'Hello' });
  await post(`${organization}/pipelines/hello/builds/1/annotations`, { body: 'Hello', style: 'info' });
  await post(`/analytics${organization}/suites`, { name: 'Unit tests', default_branch: 'main' });
}

async function check(replica: Replica): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const configuration = join(folder, 'schemathesis.toml');
  writeFileSync(configuration, '[parameters]\n"path.org" = "acme"\n[generation]\nallow-x00 = false\n');
  const args = [
    ...['--config-file', configuration, 'run', `${replica.url}/v2/openapi.json`, '--no-color'],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing', '--continue-on-failure'],
    ...['--max-time', String(Math.round(Number(values.minutes) * 60)), '--warnings', 'off'],
    ...(values.stranger ? [] : ['-H', `Authorization: Bearer ${userToken}`]),
    ...(values.seed ? ['--seed', values.seed] : []),
    ...endingTheToken.flatMap((name) => ['--exclude-operation-id', name]),
    ...['--report', 'ndjson', '--report-dir', folder],
  ];
  const child = spawn(values.program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  const report = join(folder, 'report.txt');
  writeFileSync(report, output);
  print(output.slice(Math.max(0, output.lastIndexOf('= SUMMARY ='))));
  print(code === 0 ? `the report is ${report}` : `the failures are in ${report}`);
  return code;
}

if (spawnSync(values.program, ['--version']).status !== 0) {
  print(`skipped: ${values.program} is not installed (pip install schemathesis, or SCHEMATHESIS=/path/to/it)`);
  process.exit(0);
}
const directory = temporaryDirectory();
const server = process.env['TEST_DATABASE_URL'];
const database =
  values.database === 'postgres' && server ? await ownDatabase(server, `slipway_schemathesis_${process.pid}`) : null;
if (values.database === 'postgres' && !database) throw new Error('--database postgres needs TEST_DATABASE_URL');
const replica = await Replica.start(directory.path, {
  DATA_DIR: directory.path,
  ...(database ? { DATABASE_URL: database.url } : {}),
});
let code = 1;
try {
  await furnish(replica.url);
  code = await check(replica);
} finally {
  await replica.stop();
  await database?.drop();
  directory.remove();
}
const errors = replica.errors();
if (errors.length > 0) {
  const log = join(folder, 'errors.log');
  writeFileSync(log, errors.join('\n'));
  print(`the server logged ${errors.length} errors, see ${log}: ${readFileSync(log, 'utf8').slice(0, 500)}`);
}
process.exit(errors.length > 0 ? 1 : code);
