import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Random } from './random.js';

/** What a case may know of the server: credentials and addresses that really work, beside those that do not. */
export interface Known {
  apiToken: string;
  agentToken: string;
  jobToken: string;
  suiteToken: string;
  job: string;
  webhookPath: string;
  triggerPath: string;
  /** Where the bytes of a registered artifact are put, with their signature. */
  putPath: string;
  /** Fields of the form that the same bytes may come with. */
  form: Record<string, string>;
}

/** Bytes for one connection in the pieces they are written in; `reset` ends it without waiting for an answer. */
export interface FuzzCase {
  pieces: Buffer[];
  reset: boolean;
}

interface Target {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: (random: Random, known: Known) => Body;
}

interface Body {
  type?: string;
  bytes: Buffer;
}

const json = (value: unknown): Body => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) });
const nothing = (): Body => ({ bytes: Buffer.alloc(0) });
const boundary = 'xxBOUNDARYxx';

function form(random: Random, fields: Record<string, string>, file: { name: string; bytes: Buffer }): Body {
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${file.name}"; filename="a.txt"\r\nContent-Type: ${random.pick(['text/plain', 'application/octet-stream', 'text/plain; charset=x'])}\r\n\r\n`,
  );
  const whole = Buffer.concat([...parts, head, file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  // Half of all forms end early, most of those inside the file.
  const inFile = whole.length - file.bytes.length - boundary.length - 8;
  const cut = random.chance(0.5)
    ? whole.subarray(0, random.chance(0.7) ? inFile + random.below(file.bytes.length + 4) : random.below(whole.length))
    : whole;
  return { type: `multipart/form-data; boundary=${random.chance(0.95) ? boundary : 'other'}`, bytes: cut };
}

const upload = {
  format: 'json',
  run_env: { key: 'a', CI: 'x' },
  data: [{ name: 'a', result: 'passed', history: { section: 'top', duration: 1, children: [] } }],
};
const push = { ref: 'refs/heads/none', after: 'a'.repeat(40), head_commit: null, repository: { full_name: 'x/y' } };
const documents = [
  '{ viewer { user { name } } }',
  '{'.repeat(3000),
  `query ($a: [${'['.repeat(300)}`,
  '{ organization(slug: "a\\u0000") { name } }',
  'subscription { buildUpdated(id: "x") { build { id } } }',
  '{ viewer { ',
  '\ufeff{ viewer { id } }',
];
const queries = [
  '',
  '?',
  '?x[a][b]=c',
  '?branch=%00',
  '?page=-1&per_page=1e9',
  '?state[]=a&state=b&state[x][y]=z',
  '?%ff=%fe',
  '?a[a[a]]]]=1',
  '?__proto__[x]=1',
];

/** Every surface with requests it takes, so that mutations of them reach what lies behind the first check. */
function targets(known: Known, random: Random): Target[] {
  const user = { Authorization: `Bearer ${known.apiToken}` };
  const agent = { Authorization: `Token ${known.agentToken}` };
  const job = { Authorization: `Token ${known.jobToken}` };
  const suite = { Authorization: `Token token="${known.suiteToken}"` };
  const graphql = () =>
    json({ query: random.pick(documents), variables: random.pick([null, {}, { a: '\0' }, '{"a":1}', '{', 7]) });
  const sse = { ...user, Accept: 'text/event-stream' };
  const bytes = () => random.bytes(random.below(300));
  return [
    { method: 'GET', path: `/v2/organizations/acme/pipelines${random.pick(queries)}`, headers: user, body: nothing },
    { method: 'GET', path: `/v2/organizations/acme/builds${random.pick(queries)}`, headers: user, body: nothing },
    {
      method: 'POST',
      path: '/v2/organizations/acme/pipelines',
      headers: user,
      body: () => json({ name: random.pick(['\0', '', 'x'.repeat(400)]), repository: 'x' }),
    },
    {
      method: 'POST',
      path: '/v2/organizations/acme/pipelines/app/builds',
      headers: user,
      body: () => json({ commit: 'HEAD', branch: random.pick(['\0', '\ud800', 7, null]), message: 'm' }),
    },
    { method: 'POST', path: '/graphql', headers: user, body: graphql },
    { method: 'POST', path: '/graphql', headers: sse, body: graphql },
    {
      method: 'GET',
      path: `/graphql/stream?query=${encodeURIComponent(random.pick(documents).slice(0, 500))}`,
      headers: sse,
      body: nothing,
    },
    { method: 'GET', path: '/v3/ping', headers: agent, body: nothing },
    {
      method: 'POST',
      path: '/v3/heartbeat',
      headers: agent,
      body: () => json({ sent_at: random.pick(['x', null, '\0']) }),
    },
    {
      method: 'POST',
      path: '/v3/register',
      headers: { Authorization: 'Token nobody' },
      body: () => json({ name: 'a' }),
    },
    {
      method: 'POST',
      path: `/v3/jobs/${known.job}/chunks?sequence=1&offset=0&size=${random.below(300)}`,
      headers: { ...job, 'Content-Encoding': 'gzip' },
      body: () => ({ bytes: gzipSync(bytes()) }),
    },
    {
      method: 'POST',
      path: `/v3/jobs/${known.job}/data/set`,
      headers: job,
      body: () => json({ key: random.pick(['k', '\0', '']), value: random.pick(['v', '\0', 7]) }),
    },
    {
      method: 'POST',
      path: '/v1/uploads',
      headers: suite,
      body: () =>
        json({
          ...upload,
          run_env: random.pick([upload.run_env, null, { key: '\0' }]),
          data: random.pick([upload.data, 'x', [1, null]]),
        }),
    },
    {
      method: 'POST',
      path: '/v1/uploads',
      headers: suite,
      body: () =>
        form(
          random,
          { format: 'junit', 'run_env[key]': 'f' },
          { name: 'data', bytes: Buffer.from('<testsuite><testcase name="a"/></testsuite>') },
        ),
    },
    {
      method: 'POST',
      path: '/v1/uploads',
      headers: {},
      body: () => form(random, { format: 'junit' }, { name: 'data', bytes: bytes() }),
    },
    {
      method: 'POST',
      path: '/files/uploads',
      headers: {},
      body: () => form(random, known.form, { name: 'file', bytes: random.bytes(64) }),
    },
    {
      method: 'POST',
      path: '/files/uploads',
      headers: {},
      body: () => form(random, { ...known.form, signature: 'x' }, { name: 'file', bytes: bytes() }),
    },
    { method: 'PUT', path: known.putPath, headers: {}, body: () => ({ bytes: random.bytes(64) }) },
    {
      method: 'GET',
      path: '/files/artifacts/0190?expires=1&signature=x',
      headers: { Range: random.pick(['bytes=0-', 'bytes=-', 'x']) },
      body: nothing,
    },
    {
      method: 'POST',
      path: known.webhookPath,
      headers: { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': String(random.below(1e9)) },
      body: () => json(push),
    },
    {
      method: 'POST',
      path: known.triggerPath,
      headers: { 'Content-Encoding': 'gzip' },
      body: () => ({ bytes: gzipSync('[]') }),
    },
    {
      method: 'POST',
      path: '/webhooks/deliver/nobody',
      headers: { 'Content-Encoding': 'gzip' },
      body: () => ({ bytes: gzipSync(Buffer.alloc(100_000)) }),
    },
    ...[
      '/docs',
      '/docs/x',
      '/healthz',
      '/metrics',
      '/',
      '/acme',
      '/acme/app/builds/1',
      '/emojis/x.png',
      '/avatars/x',
      `/badge/${'0'.repeat(50)}.svg${random.pick(queries)}`,
      '/badge/sample.svg?status=%00',
    ].map((path) => ({
      method: 'GET',
      path,
      headers: { Accept: random.pick(['*/*', 'text/html', 'application/json', ';q=', '']) },
      body: nothing,
    })),
  ];
}

const strangeTargets = [
  '//',
  '//[',
  'http://[',
  '*',
  '/%',
  '/%00',
  '/%ff/%fe',
  '/v2/%2e%2e/%00',
  '?',
  '/graphql/',
  '//graphql',
  '/graphql?x=[',
  '/\\',
  '/v3//',
  'http://x:99999/',
  '/webhooks/deliver/%00',
  '/files/uploads/%',
];
const strangeHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Length', ['0', '-1', '5', '99999999999999', '1e3', '']],
  ['Transfer-Encoding', ['chunked', 'gzip, chunked', 'chunked, chunked', 'identity', 'x']],
  ['Connection', ['close', 'Upgrade', 'keep-alive, Upgrade, HTTP2-Settings', ',,']],
  ['Upgrade', ['websocket', 'h2c', 'WebSocket, h2c', '']],
  ['Expect', ['100-continue', 'x']],
  ['Content-Encoding', ['gzip', 'deflate', 'br', 'gzip, gzip', 'zstd', 'x']],
  [
    'Content-Type',
    [
      'application/json; charset=utf-7',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
      'text/xml',
      ';',
      'application/x-www-form-urlencoded',
    ],
  ],
  ['X-Forwarded-For', ['1.2.3.4', 'x, y', ',', '[::1]:80', 'unknown']],
  ['X-Forwarded-Proto', ['https', ',']],
  ['X-Request-Id', ['\xff', 'x'.repeat(300)]],
  ['Host', ['[', 'a b', '']],
  ['Range', ['bytes=0-,1-', 'bytes=']],
  ['If-None-Match', ['*', '"']],
  ['Accept', ['text/event-stream', '*/*;q=x', 'a/b;c="']],
  ['Idempotency-Key', ['', 'k'.repeat(300)]],
  ['Authorization', ['Bearer', 'Token token="', 'Basic ====', 'Bearer \xe9']],
  ['Cookie', ['a=%']],
  ['Origin', ['null']],
  ['Sec-WebSocket-Protocol', ['graphql-transport-ws', ',', 'x y']],
];

/** The bytes of one case, by its seed alone. */
export function fuzzCase(seed: number, known: Known): FuzzCase {
  const random = new Random(seed);
  const bytes = random.chance(0.12) ? webSocketBytes(random, known) : requestBytes(random, known);
  return { pieces: split(random, random.chance(0.3) ? mutated(random, bytes) : bytes), reset: random.chance(0.05) };
}

function requestBytes(random: Random, known: Known): Buffer {
  const target = random.pick(targets(known, random));
  let { bytes } = target.body(random, known);
  const { type } = target.body(random, known);
  const headers: [string, string][] = [
    ['Host', 'x'],
    ...Object.entries(target.headers),
    ...(type ? [['Content-Type', type] as [string, string]] : []),
  ];
  if (random.chance(0.15)) {
    const [encoding, pack] = random.pick([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const);
    bytes = pack(bytes);
    if (random.chance(0.6)) bytes = mutated(random, bytes);
    headers.push(['Content-Encoding', encoding]);
  }
  for (let count = random.below(3); count > 0; count -= 1) {
    const [name, values] = random.pick(strangeHeaders);
    headers.push([name, random.pick(values)]);
  }
  const method = random.chance(0.9)
    ? target.method
    : random.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'PATCH', 'DELETE', 'QUERY']);
  const path = random.chance(0.85) ? target.path : random.pick(strangeTargets);
  const chunked = random.chance(0.2);
  if (chunked) headers.push(['Transfer-Encoding', 'chunked']);
  else if (bytes.length > 0 || method !== 'GET')
    headers.push(['Content-Length', String(bytes.length + (random.chance(0.1) ? random.below(50) : 0))]);
  if (random.chance(0.8)) headers.push(['Connection', 'close']);
  const head = `${method} ${path} HTTP/${random.chance(0.97) ? '1.1' : random.pick(['1.0', '2.0', '0.9'])}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), chunked ? inChunks(random, bytes) : bytes]);
}

/** A chunked body; one in four has a size that does not fit, or no end. */
function inChunks(random: Random, bytes: Buffer): Buffer {
  const pieces = split(random, bytes).map((piece) => {
    const size = random.chance(0.05) ? random.pick(['zz', 'ffffffffffffffff', '-1', '']) : piece.length.toString(16);
    return Buffer.concat([Buffer.from(`${size}${random.chance(0.1) ? ';x=y' : ''}\r\n`), piece, Buffer.from('\r\n')]);
  });
  return Buffer.concat([
    ...pieces,
    Buffer.from(random.chance(0.8) ? '0\r\n\r\n' : random.pick(['', '0\r\n', '0\r\nX: y\r\n\r\n'])),
  ]);
}

function webSocketBytes(random: Random, known: Known): Buffer {
  const protocol = random.chance(0.9) ? 'graphql-transport-ws' : random.pick(['graphql-ws', '', ',', 'x']);
  const path = random.chance(0.85) ? '/graphql' : random.pick(['/graphql/', '/v2', '/', ...strangeTargets]);
  const version = random.chance(0.95) ? '13' : random.pick(['8', 'x', '']);
  const key = random.chance(0.95) ? 'dGhlIHNhbXBsZSBub25jZQ==' : random.pick(['', 'x', '='.repeat(24)]);
  const credential = random.chance(0.5) ? `Authorization: Bearer ${known.apiToken}\r\n` : '';
  const head = `${random.chance(0.97) ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${random.chance(0.95) ? 'websocket' : 'h2c'}\r\n${credential}Sec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: ${protocol}\r\nSec-WebSocket-Extensions: ${random.pick(['', 'permessage-deflate', 'x;y="'])}\r\n\r\n`;
  const messages = [
    { type: 'connection_init', payload: random.pick([{ token: known.apiToken }, { Authorization: 7 }, null, 'x']) },
    {
      type: 'subscribe',
      id: random.pick(['1', '', 7]),
      payload: { query: random.pick(documents), variables: random.pick([null, 7, { a: '\0' }]) },
    },
    { type: 'ping' },
    { type: 'complete', id: '1' },
    { type: 'x' },
    7,
    null,
  ];
  const frames = Array.from({ length: random.below(5) }, (_, index) =>
    frame(random, index === 0 && random.chance(0.8) ? messages[0] : random.pick(messages)),
  );
  return Buffer.concat([Buffer.from(head, 'latin1'), ...frames]);
}

/** One frame of a WebSocket: usually a masked text, sometimes of another kind, length, or without its mask. */
function frame(random: Random, message: unknown): Buffer {
  const payload = random.chance(0.9) ? Buffer.from(JSON.stringify(message)) : random.bytes(random.below(125));
  const first = random.chance(0.85) ? 0x81 : random.below(256);
  const masked = random.chance(0.95) ? 0x80 : 0;
  const length = random.chance(0.03)
    ? random.pick([
        [126, 0xff, 0xff],
        [127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      ])
    : payload.length < 126
      ? [payload.length]
      : [126, payload.length >> 8, payload.length & 0xff];
  const mask = random.bytes(4);
  const body = masked ? Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))) : payload;
  return Buffer.concat([
    Buffer.from([first, (length[0] ?? 0) | masked, ...length.slice(1)]),
    masked ? mask : Buffer.alloc(0),
    body,
  ]);
}

/** Bytes changed, doubled, left out, put in, or cut off. */
function mutated(random: Random, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes);
  for (let count = 1 + random.below(3); count > 0 && result.length > 0; count -= 1) {
    const at = random.below(result.length);
    const end = Math.min(result.length, at + 1 + random.below(16));
    const [before, within, after] = [result.subarray(0, at), result.subarray(at, end), result.subarray(end)];
    result = Buffer.concat(
      random.pick([
        [before, random.bytes(within.length), after],
        [before, within, within, after],
        [before, after],
        [before, random.bytes(random.below(16)), within, after],
        [before],
      ]),
    );
  }
  return result;
}

/** The same bytes in up to four pieces: parsers keep state between writes. */
function split(random: Random, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: random.below(4) }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  return [...cuts, bytes.length]
    .map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end))
    .filter((piece) => piece.length > 0);
}
