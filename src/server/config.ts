import { tracingSettings, type TracingSettings } from '../tracing/settings.js';
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import {
  problemsOfVariableNames,
  type VariableNames,
  warningsOfVariableNames,
} from '../domain/installation/variable-names.js';
import { readCronLine } from '../domain/pipelines/cron/cron-line.js';
import { isLoopbackHost } from '../domain/loopback-host.js';
import { readByteSize } from '../domain/limits/byte-size.js';
import { limits } from '../domain/limits/limits.js';
import { replyMemoryBytes } from '../domain/limits/memory-bounds.js';
import { readAge } from '../domain/retention/age.js';
import type { RetentionDefaults } from '../domain/retention/policy.js';
import { type RaisableLimit, readLimits } from '../domain/limits/raised-limits.js';
import { openBackupPlace, openStorage } from '../storage/open-storage.js';
import { ConfigError } from '../services/config-error.js';
import { StorageError } from '../storage/storage.js';

const port = z.coerce.number().int().min(0).max(65_535);
const perMinute = z.coerce.number().int().min(0).max(1_000_000);
const onOff = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((word) => ['on', 'true', '1'].includes(word));

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must hold addresses or networks, separated by commas',
});

/** Limits that the operator raises; every problem is named. */
function parseLimits(text: string, context: z.RefinementCtx) {
  const { values, problems } = readLimits(text, getHeapStatistics().heap_size_limit);
  for (const message of problems) context.addIssue({ code: 'custom', message });
  return values;
}

/** An age such as `90d`, in days. */
const age = z.string().transform((text, context) => {
  const days = readAge(text);
  if (days !== null) return days;
  const longest = `${limits.retentionDays}d`;
  context.addIssue({ code: 'custom', message: `must be an age from 1d to ${longest}, such as 90d, 12w or 1y` });
  return z.NEVER;
});

function parseByteSize(text: string, context: z.RefinementCtx): number {
  const bytes = readByteSize(text);
  if (bytes === null) context.addIssue({ code: 'custom', message: 'must be a size, such as 500m or 2g; 0 for none' });
  return bytes ?? 0;
}

const secretKey = z.string().min(32, 'must be at least 32 characters');

/**
 * Every URL that the service hands out is a path behind this one, and the console's pages know their paths only from
 * the root.
 */
const rootUrl = z.url({ protocol: /^https?$/ }).refine(
  (text) => {
    if (!URL.canParse(text)) return true;
    const { pathname, search, hash, username, password } = new URL(text);
    return /^\/+$/.test(pathname) && search + hash + username + password === '' && !/[?#]/.test(text);
  },
  'must be a scheme, a host and perhaps a port, such as https://ci.example.com: Slipway is served ' +
    'at the root ' +
    'of a host name of its own, not below a path',
);

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: rootUrl.optional(),
  TLS_CERT: z.string().min(1).optional(),
  TLS_KEY: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  STORAGE_URL: z
    .url({ protocol: /^(file|s3)$/ })
    .or(z.string().regex(/^file:.+/))
    .optional(),
  DISK_RESERVE: z.string().default('1g').transform(parseByteSize),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: secretKey.optional(),
  RATE_LIMIT_ORGANIZATION: perMinute.default(6000),
  RATE_LIMIT_USER: perMinute.default(3000),
  GRAPHQL_MANIFEST: z.string().min(1).optional(),
  GRAPHQL_COST_LIMIT: z.coerce.number().int().min(0).default(50_000),
  GRAPHQL_POINTS_ORGANIZATION: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  GRAPHQL_POINTS_USER: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  WEBHOOK_IPS: z.string().default('').transform(words).pipe(z.array(addressOrNetwork).max(100)),
  OUTBOUND_ALLOW: z.string().default('').transform(words).pipe(z.array(addressOrNetwork).max(100)),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(words)
    .pipe(
      z.array(addressOrNetwork.refine((network) => !network.endsWith('/0'), 'must not hold every address')).max(100),
    ),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  METRICS: onOff.default(true),
  DRAIN_DELAY: z.coerce.number().min(0).max(5).default(3),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).optional(),
  WORKERS: z.literal('auto').or(z.coerce.number().int().min(1).max(64)).default(1),
  REPLY_MEMORY_MB: z.coerce.number().int().min(0).max(16_384).optional(),
  RETENTION_BUILDS: age.optional(),
  RETENTION_LOGS: age.optional(),
  RETENTION_ARTIFACTS: age.optional(),
  RETENTION_RUNS: age.optional(),
  RETENTION_AUDIT: age.optional(),
  RETENTION_AGENTS: age.optional(),
  LIMITS: z.string().default('').transform(parseLimits),
  BACKUP_TO: z
    .string()
    .regex(/^(s3|file):/, 'must begin with s3: or file:')
    .optional(),
  BACKUP_SCHEDULE: z
    .string()
    .default('0 3 * * *')
    .superRefine((text, context) => {
      const line = readCronLine(text);
      if (!line.ok) context.addIssue({ code: 'custom', message: line.message });
    }),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(10_000).default(7),
  BACKUP_ENCRYPT_TO: z.string().min(1).optional(),
});

/** Variables in the list of docs/operations.md#variables-of-later-releases. */
export const variableNames: VariableNames = {
  supported: Object.keys(environment.shape),
  unsupported: new Map([
    ['DATABASE_READ_URL', 'all reads go to DATABASE_URL'],
    ['SMTP_URL', 'it sends no mail'],
    ['MAIL_FROM', 'it sends no mail'],
  ]),
  families: ['BACKUP_', 'GRAPHQL_', 'OIDC_', 'RATE_LIMIT_', 'REPLY_MEMORY', 'RETENTION_', 'SECRET_KEY', 'STORAGE_'],
};

export interface Config {
  readonly port: number;
  /** A host, or `unix:` and the path of a socket file. */
  readonly host: string;
  /** Files of certificate and key; null for a server without TLS. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /**
   * Root of every URL that Slipway hands out, without a trailing slash; ends in `:0` until the port is known
   * (`PORT=0`).
   */
  readonly baseUrl: string;
  readonly databaseUrl: string | undefined;
  /** Connections of each process. */
  readonly databasePoolSize: number;
  /** Processes of `slipway serve` that share the port. */
  readonly workers: number;
  readonly dataDir: string;
  readonly storageUrl: string | undefined;
  /** Free bytes of a disk storage below which new bytes are refused; 0 for none. */
  readonly diskReserveBytes: number;
  /** Undefined only with the embedded database: it is then generated into the data directory. */
  readonly secretKey: string | undefined;
  /** The other key that stored values may be sealed or signed with while keys are exchanged. */
  readonly secretKeyPrevious: string | undefined;
  readonly rateLimitOrganization: number;
  readonly rateLimitUser: number;
  readonly graphqlCostLimit: number;
  /** File with the only documents that /graphql executes; undefined for any. */
  readonly graphqlManifest: string | undefined;
  /** Addresses that `/v2/meta` names as the source of outgoing webhooks. */
  readonly webhookIps: readonly string[];
  /** Addresses and networks that outbound requests may reach although they are private. */
  readonly outboundAllow: readonly string[];
  /** Networks and addresses of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  readonly trustedProxies: readonly string[];
  /** GraphQL points per five minutes; 0 if the request limit is 0 and no value is set. */
  readonly graphqlPointsOrganization: number;
  readonly graphqlPointsUser: number;
  /** Bytes of memory for parts of replies; 0 keeps none. */
  readonly replyMemoryBytes: number;
  /** OpenID Connect provider for sign-in to the console; null if none is configured. */
  readonly singleSignOn: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | null;
  /** Limits on input that the operator has raised, by name. */
  readonly raisedLimits: ReadonlyMap<RaisableLimit, number>;
  /** Backups that the server makes by itself; null for none. */
  readonly backups: {
    /** URL of the folder or bucket. */
    readonly to: string;
    readonly schedule: string;
    readonly keep: number;
    /** File of public keys. */
    readonly encryptTo: string | undefined;
  } | null;
  /** Days by kind after which retention deletes where no organization or pipeline says otherwise. */
  readonly retention: RetentionDefaults;
  readonly logLevel: string;
  readonly metrics: boolean;
  /** A sentence for the operator about each variable that may be meant for Slipway and has no effect. */
  readonly warnings: readonly string[];
  /** Where traces go; null where nobody has asked for any. */
  readonly tracing: TracingSettings | null;
  /** Milliseconds for which a stopping server still serves, while its readiness probe fails. */
  readonly drainDelayMs: number;
}

/** Where values come from that are not from the environment, as `file:line:column` by the variable's name. */
export type SettingOrigins = ReadonlyMap<string, string>;

/** Variables whose values hold credentials: error messages never show them. */
export const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'STORAGE_URL',
] satisfies (keyof typeof environment.shape)[]);

/** One line about a variable: its name, the reason and, unless it is secret, its value without credentials. */
function describeIssue(issue: z.core.$ZodIssue, variables: Record<string, string | undefined>): string {
  const name = String(issue.path[0] ?? '');
  const value = variables[name];
  const shown =
    value === undefined || secretVariables.has(name)
      ? ''
      : ` (it is ${JSON.stringify(value.slice(0, 200).replace(/\/\/[^/]*@/, '//…@'))})`;
  return `${name}: ${issue.message}${shown}`;
}

/** Problems between variables that are each valid. */
function* problemsBetween(variables: Record<string, string | undefined>): Generator<string> {
  if (variables['DATABASE_URL'] && !variables['SECRET_KEY']) {
    yield 'SECRET_KEY: required with DATABASE_URL (at least 32 characters, the same on every replica)';
  }
  if (variables['SECRET_KEY'] && variables['SECRET_KEY'] === variables['SECRET_KEY_PREVIOUS']) {
    yield 'SECRET_KEY_PREVIOUS: is the same as SECRET_KEY; it is for the other key while keys are exchanged';
  }
  if (!variables['DATABASE_URL'] && Number(variables['WORKERS']) > 1) {
    yield 'WORKERS: several processes need PostgreSQL (DATABASE_URL); the embedded database belongs to one';
  }
  yield* problemsOfSingleSignOn(variables);
  yield* problemsOfStorage(variables);
  yield* problemsOfListening(variables);
  yield* problemsOfBackups(variables);
}

const tlsVariables = ['TLS_CERT', 'TLS_KEY'] as const;

function* problemsOfListening(variables: Record<string, string | undefined>): Generator<string> {
  const { HOST: host, BASE_URL: baseUrl } = variables;
  const missing = tlsVariables.filter((name) => !variables[name]);
  if (missing.length === 1) yield `${missing[0]}: required with the other file of the pair`;
  if (missing.length === 0 && baseUrl?.startsWith('http:'))
    yield 'BASE_URL: must begin with https:// because TLS_CERT is set, and the port speaks https alone';
  if (host?.startsWith('unix:') && !/^unix:\/./.test(host))
    yield 'HOST: a socket file needs its whole path: unix:/path';
  if (baseUrl) return;
  const why = reasonForBaseUrl(variables);
  if (why === null) return;
  yield (
    `BASE_URL: required because ${why}: set it to the address that people and agents use, such as ` +
    'https://ci.example.com'
  );
}

/** Why nobody else could use the default of BASE_URL; null where it is good. */
function reasonForBaseUrl({ HOST, LISTEN_FDS }: Record<string, string | undefined>): string | null {
  if (HOST?.startsWith('unix:')) return 'HOST is a socket file';
  if (LISTEN_FDS) return 'systemd listens for this process';
  return HOST && !isLoopbackHost(HOST) ? `HOST (${HOST}) is reached from other machines` : null;
}

function* problemsOfStorage({ STORAGE_URL, DATA_DIR = '.' }: Record<string, string | undefined>): Generator<string> {
  if (!STORAGE_URL || !environment.shape.STORAGE_URL.safeParse(STORAGE_URL).success) return;
  try {
    openStorage(STORAGE_URL, { dataDir: DATA_DIR });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield error.message;
  }
}

function* problemsOfBackups(variables: Record<string, string | undefined>): Generator<string> {
  const { BACKUP_TO } = variables;
  for (const name of ['BACKUP_SCHEDULE', 'BACKUP_KEEP', 'BACKUP_ENCRYPT_TO'])
    if (variables[name] && !BACKUP_TO) yield `${name}: has no effect without BACKUP_TO, the place of the backups`;
  if (!BACKUP_TO || !environment.shape.BACKUP_TO.safeParse(BACKUP_TO).success) return;
  try {
    openBackupPlace(BACKUP_TO, 'BACKUP_TO');
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield error.message;
  }
}

/** With more processes than this the database is what is busy. */
const processesAtMost = 16;

function processesOf({ WORKERS, DATABASE_URL }: z.output<typeof environment>): number {
  if (WORKERS !== 'auto') return WORKERS;
  return DATABASE_URL ? Math.min(availableParallelism(), processesAtMost) : 1;
}

/** A PostgreSQL as it is installed takes 100 connections: all processes together leave a fifth of them to others. */
const poolSizeOf = (processes: number) => Math.max(4, Math.min(10, Math.floor(80 / processes)));

function retentionOf(value: z.output<typeof environment>): RetentionDefaults {
  const ages = Object.entries({
    builds: value.RETENTION_BUILDS,
    logs: value.RETENTION_LOGS,
    artifacts: value.RETENTION_ARTIFACTS,
    runs: value.RETENTION_RUNS,
    audit: value.RETENTION_AUDIT,
    agents: value.RETENTION_AGENTS,
  });
  return Object.fromEntries(ages.filter(([, days]) => days !== undefined));
}

const oidcVariables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

function* problemsOfSingleSignOn(variables: Record<string, string | undefined>): Generator<string> {
  const missing = oidcVariables.filter((name) => !variables[name]);
  if (missing.length < oidcVariables.length)
    for (const name of missing) yield `${name}: required with the other variables of single sign-on`;
  const issuer = variables['OIDC_ISSUER'];
  if (!issuer?.startsWith('http:') || !URL.canParse(issuer)) return;
  // Codes and the client's secret would cross the network in the clear.
  if (!isLoopbackHost(new URL(issuer).hostname.replace(/^\[(.*)\]$/, '$1')))
    yield 'OIDC_ISSUER: must begin with https:// unless it is on this machine';
}

/** The value that a variable has where it is not set; undefined for one without a fixed default. */
export function defaultOf(name: string): unknown {
  const schema = (environment.shape as Record<string, z.ZodType | undefined>)[name];
  return schema?.safeParse(undefined).data;
}

/** Begins the problem of a variable that the file of settings sets with its place there. */
function atOrigin(problem: string, origins: SettingOrigins): string {
  const origin = origins.get(/^[A-Z_]+/.exec(problem)?.[0] ?? '');
  return origin === undefined ? problem : `${origin}: ${problem}`;
}

/**
 * Reads and freezes the configuration from environment variables (docs/operations.md#configuration); throws {@link
 * ConfigError}.
 * @param origins places of the values that the file of settings gave (`readSettings`)
 */
export function readConfig(env: Record<string, string | undefined>, origins: SettingOrigins = new Map()): Config {
  // An empty variable counts as unset: compose files pass `NAME=` for variables without a value.
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(variables);
  const problems = result.success ? [] : result.error.issues.map((issue) => describeIssue(issue, variables));
  // Variables that a command removes by `undefined` count too: they are set, and not misspelt.
  const names = new Set(Object.keys(env).filter((name) => env[name] !== ''));
  problems.push(...problemsBetween(variables), ...problemsOfVariableNames(names, variableNames));
  if (!result.success || problems.length > 0)
    throw new ConfigError(
      `the configuration is invalid:\n${problems.map((problem) => `  ${atOrigin(problem, origins)}`).join('\n')}`,
    );
  const value = result.data;
  const workers = processesOf(value);
  const tracing = tracingSettings(variables);
  const host = value.HOST.includes(':') ? `[${value.HOST}]` : value.HOST;
  const tls = value.TLS_CERT && value.TLS_KEY ? { certificate: value.TLS_CERT, key: value.TLS_KEY } : null;
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    tls: tls && Object.freeze(tls),
    baseUrl: (value.BASE_URL ?? `${tls ? 'https' : 'http'}://${host}:${value.PORT}`).replace(/\/+$/, ''),
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE ?? poolSizeOf(workers),
    workers,
    dataDir: value.DATA_DIR,
    storageUrl: value.STORAGE_URL,
    diskReserveBytes: value.DISK_RESERVE,
    secretKey: value.SECRET_KEY,
    secretKeyPrevious: value.SECRET_KEY_PREVIOUS,
    rateLimitOrganization: value.RATE_LIMIT_ORGANIZATION,
    rateLimitUser: value.RATE_LIMIT_USER,
    graphqlCostLimit: value.GRAPHQL_COST_LIMIT,
    graphqlManifest: value.GRAPHQL_MANIFEST,
    webhookIps: Object.freeze(value.WEBHOOK_IPS),
    outboundAllow: Object.freeze(value.OUTBOUND_ALLOW),
    trustedProxies: Object.freeze(value.TRUSTED_PROXIES),
    graphqlPointsOrganization:
      value.GRAPHQL_POINTS_ORGANIZATION ?? (value.RATE_LIMIT_ORGANIZATION === 0 ? 0 : limits.graphqlOrganizationPoints),
    graphqlPointsUser: value.GRAPHQL_POINTS_USER ?? (value.RATE_LIMIT_USER === 0 ? 0 : limits.graphqlUserPoints),
    replyMemoryBytes:
      value.REPLY_MEMORY_MB === undefined
        ? replyMemoryBytes(getHeapStatistics().heap_size_limit)
        : value.REPLY_MEMORY_MB * 1024 * 1024,
    singleSignOn:
      value.OIDC_ISSUER && value.OIDC_CLIENT_ID && value.OIDC_CLIENT_SECRET
        ? Object.freeze({
            issuer: value.OIDC_ISSUER,
            clientId: value.OIDC_CLIENT_ID,
            clientSecret: value.OIDC_CLIENT_SECRET,
          })
        : null,
    backups: value.BACKUP_TO
      ? Object.freeze({
          to: value.BACKUP_TO,
          schedule: value.BACKUP_SCHEDULE,
          keep: value.BACKUP_KEEP,
          encryptTo: value.BACKUP_ENCRYPT_TO,
        })
      : null,
    raisedLimits: value.LIMITS,
    retention: Object.freeze(retentionOf(value)),
    logLevel: value.LOG_LEVEL,
    metrics: value.METRICS,
    tracing: tracing.settings,
    warnings: Object.freeze([...tracing.warnings, ...warningsOfVariableNames(names, variableNames)]),
    drainDelayMs: value.DRAIN_DELAY * 1000,
  });
}
