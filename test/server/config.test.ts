import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/server/config.js';
import { variableNames } from '../../src/server/variables.js';
import { ConfigError } from '../../src/services/config-error.js';

const messageOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
};

describe('the configuration', () => {
  test('all problems are reported in one message, also those between variables', () => {
    const message = messageOf({
      PORT: 'x',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://a/b',
      OUTBOUND_ALLOW: '10.0.0.0/8,nowhere',
      SECRET_KEY_PREVIOUS: 'short',
      STORAGE_URL: 'ftp://x',
    });
    for (const name of ['PORT', 'BASE_URL', 'SECRET_KEY', 'OUTBOUND_ALLOW', 'SECRET_KEY_PREVIOUS', 'STORAGE_URL'])
      expect(message).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  test.each(['0.0.0.0', '::', '192.168.1.4', 'ci.example.com'])(
    'a server that listens on HOST=%s, reachable by others, requires BASE_URL',
    (host) => {
      expect(messageOf({ HOST: host })).toContain('BASE_URL: required');
      expect(messageOf({ HOST: host, BASE_URL: 'https://ci.example.com' })).toBe('');
    },
  );

  test.each(['127.0.0.1', '127.1.1.1', '::1', 'localhost'])('a server that listens on %s needs no BASE_URL', (host) => {
    expect(messageOf({ HOST: host })).toBe('');
  });

  test('a socket file, and a socket of systemd, need BASE_URL; a socket file needs its whole path', () => {
    expect(messageOf({ HOST: 'unix:/run/slipway.sock' })).toContain('BASE_URL: required because HOST is a socket file');
    expect(messageOf({ LISTEN_FDS: '1' })).toContain('BASE_URL: required because systemd listens for this process');
    expect(messageOf({ HOST: 'unix:slipway.sock', BASE_URL: 'http://ci' })).toContain('HOST: a socket file needs');
    expect(messageOf({ HOST: 'unix:/run/slipway.sock', BASE_URL: 'http://ci' })).toBe('');
  });

  test('traces over gRPC are refused with what to set, also where only those of one signal are asked for', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317' };
    expect(messageOf({ ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatch(
      /^ {2}OTEL_EXPORTER_OTLP_PROTOCOL: .*http\/protobuf.*4318.*OTEL_TRACES_EXPORTER=none/m,
    );
    expect(messageOf({ ...collector, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' })).toMatch(
      /^ {2}OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: /m,
    );
    expect(messageOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBe('');
    expect(messageOf({ ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_EXPORTER: 'none' })).toBe('');
  });

  test('TLS needs both files, and an address that begins with https', () => {
    const files = { TLS_CERT: 'a.crt', TLS_KEY: 'a.key' };
    expect(messageOf({ TLS_CERT: 'a.crt' })).toContain('TLS_KEY: required with the other file');
    expect(messageOf({ ...files, BASE_URL: 'http://ci.example.com' })).toContain('BASE_URL: must begin with https://');
    expect(readConfig(files)).toMatchObject({
      baseUrl: 'https://127.0.0.1:3000',
      tls: { certificate: 'a.crt', key: 'a.key' },
    });
    expect(readConfig({}).tls).toBeNull();
  });

  test('a problem shows the value of its variable, except for variables that hold credentials', () => {
    const message = messageOf({
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://ada:hunter2@db/x',
      SECRET_KEY: 'short-secret',
    });
    expect(message).toContain('(it is "99999")');
    expect(message).toContain('(it is "loud")');
    expect(message).toMatch(/DATABASE_URL: .*\n/);
    expect(message).not.toMatch(/hunter2|short-secret/);
  });

  test('the previous secret key must differ from the present one', () => {
    const key = 'k'.repeat(40);
    expect(messageOf({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: key })).toContain('SECRET_KEY_PREVIOUS: is the same');
    expect(readConfig({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: 'p'.repeat(40) })).toMatchObject({
      secretKey: key,
      secretKeyPrevious: 'p'.repeat(40),
    });
  });

  test('single sign-on needs its three variables, an issuer over https, and shows no secret', () => {
    const settings = {
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'slipway',
      OIDC_CLIENT_SECRET: 'hunter2',
    };
    expect(readConfig(settings).singleSignOn).toEqual({
      issuer: 'https://id.example.com',
      clientId: 'slipway',
      clientSecret: 'hunter2',
    });
    expect(readConfig({}).singleSignOn).toBeNull();
    expect(messageOf({ OIDC_CLIENT_SECRET: 'hunter2' })).toMatch(/OIDC_ISSUER: required[^]*OIDC_CLIENT_ID: required/);
    const insecure = messageOf({ ...settings, OIDC_ISSUER: 'http://id.example.com' });
    expect(insecure).toContain('OIDC_ISSUER: must begin with https://');
    expect(insecure).not.toContain('hunter2');
    expect(messageOf({ ...settings, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toBe('');
  });

  test.each([
    ['https://ci.example.com/slipway', 'a path'],
    ['https://ci.example.com/?team=a', 'a query'],
    ['https://ci.example.com/#top', 'a fragment'],
    ['https://ada:hunter2@ci.example.com', 'credentials'],
    ['https://ci.example.com?', 'an empty query'],
  ])('BASE_URL=%s is refused, because it has %s', (value) => {
    const message = messageOf({ BASE_URL: value });
    expect(message).toMatch(/BASE_URL: must be a scheme, a host and perhaps a port.*\(it is "https:/);
    expect(message).not.toContain('hunter2');
  });

  test('REPORTS_URL is another host than BASE_URL, as safe as that, and no path', () => {
    const BASE_URL = 'https://ci.example.com';
    const own = { BASE_URL, REPORTS_URL: 'https://reports.example.com/' };
    expect(readConfig(own).reportsUrl).toBe('https://reports.example.com');
    expect(readConfig({}).reportsUrl).toBeUndefined();
    expect(messageOf({ REPORTS_URL: own.REPORTS_URL })).toContain('REPORTS_URL: needs BASE_URL');
    for (const [url, why] of [
      ['https://ci.example.com:443', 'must have another host than BASE_URL'],
      ['http://reports.example.com', 'must begin with https:// because BASE_URL does'],
      ['https://reports.example.com/ci', 'must be a scheme, a host and perhaps a port'],
      ['ftp://reports.example.com', 'Invalid URL'],
    ] as const)
      expect(messageOf({ BASE_URL, REPORTS_URL: url })).toContain(`REPORTS_URL: ${why}`);
  });

  test('ages of retention are days, weeks or years, and anything else is refused', () => {
    expect(readConfig({ RETENTION_BUILDS: '1y', RETENTION_LOGS: '12w', RETENTION_AGENTS: '7d' }).retention).toEqual({
      builds: 365,
      logs: 84,
      agents: 7,
    });
    expect(readConfig({}).retention).toEqual({});
    for (const age of ['90', '0d', '12h', '-1d', '9999d'])
      expect(messageOf({ RETENTION_AUDIT: age })).toContain(
        'RETENTION_AUDIT: must be an age from 1d to 3650d, such as 90d',
      );
  });

  test('BASE_URL may end in slashes, which no URL repeats', () => {
    expect(readConfig({ BASE_URL: 'https://ci.example.com:8443//' }).baseUrl).toBe('https://ci.example.com:8443');
  });

  test.each([
    ['s3:///logs', 's3: needs a bucket'],
    ['s3://key:hunter2@bucket', 'credentials belong into the environment'],
    ['s3://bucket?regoin=eu-central-1', 'unknown parameter "regoin"'],
    ['s3://bucket?endpoint=minio:9000', 'endpoint must be an http or https URL'],
    ['file://other-machine/logs', 'file: URLs name a directory of this machine'],
  ])('STORAGE_URL=%s is a problem of the configuration: %s', (value, reason) => {
    const message = messageOf({ STORAGE_URL: value, LOG_LEVEL: 'loud' });
    expect(message).toContain(`STORAGE_URL: ${reason}`);
    expect(message).toContain('LOG_LEVEL');
    expect(message).not.toContain('hunter2');
  });
});

describe('names of variables', () => {
  test.each([...variableNames.unsupported.keys()])('%s is refused: this release does not read it', (name) => {
    expect(messageOf({ [name]: 'x' })).toMatch(new RegExp(`^  ${name}: not supported by this release; .*Remove`, 'm'));
  });

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['BASE_URI', 'BASE_URL'],
    ['BASE_ULR', 'BASE_URL'],
    ['BASEURL', 'BASE_URL'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['RATE_LIMIT_USERS', 'RATE_LIMIT_USER'],
    ['RETENTION_BUILD', 'RETENTION_BUILDS'],
    ['SLIPWAY_DATABASE_URL', 'DATABASE_URL'],
  ])('%s is refused, and the message names %s', (name, meant) => {
    expect(messageOf({ [name]: 'x' })).toMatch(new RegExp(`^  ${name}: .*the nearest is ${meant}\\.`, 'm'));
  });

  test('a name like one of ours belongs to another program if ours is set too', () => {
    expect(messageOf({ BASE_URI: 'x', BASE_URL: 'https://ci.example.com' })).toBe('');
    // As `slipway dev` does without the DATABASE_URL that is set.
    expect(() => readConfig({ DATABASE_URI: 'x', DATABASE_URL: undefined })).not.toThrow();
  });

  test('variables of the shell, of other programs and of clusters are left alone', () => {
    const others = [
      ...[
        'PATH',
        'HOME',
        'HOSTNAME',
        'TERM',
        'PWD',
        'USER',
        'LANG',
        'NODE_ENV',
        'POSTS',
        'WORKER',
        'METRIC',
        'XDG_DATA_DIRS',
      ],
      ...[
        'AWS_REGION',
        'AWS_ACCESS_KEY_ID',
        'PGHOST',
        'POSTGRES_PASSWORD',
        'REDIS_URL',
        'SENTRY_DSN',
        'BUILDKITE_AGENT_TOKEN',
      ],
      ...[
        'SLIPWAY_PORT',
        'SLIPWAY_SERVICE_HOST',
        'SLIPWAY_PORT_3000_TCP',
        'SLIPWAY_URL',
        'SLIPWAY_TOKEN',
        'DATABASE_HOST',
      ],
    ];
    const env = Object.fromEntries(others.map((name) => [name, 'x']));
    expect(messageOf(env)).toBe('');
    expect(readConfig(env).warnings).toEqual([]);
  });

  test('variables without effect that may be meant for another program are warned of', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/xml',
      OTEL_SERVICE_NAME: 'ci',
      OIDC_SCOPES: 'openid',
      RATE_LIMIT_ORG: '5',
    };
    expect(readConfig(env).warnings).toEqual([
      'no traces are exported: OTEL_EXPORTER_OTLP_PROTOCOL can be http/protobuf or http/json, not http/xml',
      expect.stringMatching(/^OIDC_SCOPES has no effect: .*the nearest is OIDC_ISSUER$/),
      expect.stringMatching(/^RATE_LIMIT_ORG has no effect: .*the nearest is RATE_LIMIT_ORGANIZATION$/),
    ]);
  });

  test('docs/operations.md lists every variable that is read and every one that is refused, and no other', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const namesIn = (heading: string) => {
      const [, section = ''] = page.split(`\n${heading}\n`);
      const cells = [...(section.split(/\n##/)[0] ?? '').matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = '']) => cell);
      return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)).sort();
    };
    expect(namesIn('## Configuration')).toEqual([...variableNames.supported].sort());
    expect(namesIn('### Variables of later releases')).toEqual([...variableNames.unsupported.keys()].sort());
    expect(variableNames.supported.filter((name) => variableNames.unsupported.has(name))).toEqual([]);
  });
});
