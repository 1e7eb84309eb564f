import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { z } from 'zod';
import { problemsOfVariableNames, warningsOfVariableNames } from '../domain/installation/variable-names.js';
import { limits } from '../domain/limits/limits.js';
import { replyMemoryBytes } from '../domain/limits/memory-bounds.js';
import type { RaisableLimit } from '../domain/limits/raised-limits.js';
import type { RetentionDefaults } from '../domain/retention/policy.js';
import { ConfigError } from '../services/config-error.js';
import { tracingSettings, type TracingSettings } from '../tracing/settings.js';
import { problemsBetween } from './variable-problems.js';
import { environment, secretVariables, variableNames } from './variables.js';

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
  /** Root of the addresses of reports, without a trailing slash; undefined where they are at `baseUrl`. */
  readonly reportsUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** A standby of the database, for lists that may be a moment old. */
  readonly databaseReadUrl: string | undefined;
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
  /** Mail server with its user, and the sender of mail; null where no mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
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
  /** URL of the folder or bucket that organizations may have builds exported to; undefined for none. */
  readonly buildExportTo: string | undefined;
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
  const tracing = tracingSettings(variables);
  if (tracing.problem !== undefined) problems.push(tracing.problem);
  if (!result.success || problems.length > 0)
    throw new ConfigError(
      `the configuration is invalid:\n${problems.map((problem) => `  ${atOrigin(problem, origins)}`).join('\n')}`,
    );
  const value = result.data;
  const workers = processesOf(value);
  const host = value.HOST.includes(':') ? `[${value.HOST}]` : value.HOST;
  const tls = value.TLS_CERT && value.TLS_KEY ? { certificate: value.TLS_CERT, key: value.TLS_KEY } : null;
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    tls: tls && Object.freeze(tls),
    baseUrl: (value.BASE_URL ?? `${tls ? 'https' : 'http'}://${host}:${value.PORT}`).replace(/\/+$/, ''),
    reportsUrl: value.REPORTS_URL && new URL(value.REPORTS_URL).origin,
    databaseUrl: value.DATABASE_URL,
    databaseReadUrl: value.DATABASE_READ_URL,
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
    mail: value.SMTP_URL && value.MAIL_FROM ? Object.freeze({ url: value.SMTP_URL, from: value.MAIL_FROM }) : null,
    backups: value.BACKUP_TO
      ? Object.freeze({
          to: value.BACKUP_TO,
          schedule: value.BACKUP_SCHEDULE,
          keep: value.BACKUP_KEEP,
          encryptTo: value.BACKUP_ENCRYPT_TO,
        })
      : null,
    buildExportTo: value.BUILD_EXPORT_TO,
    raisedLimits: value.LIMITS,
    retention: Object.freeze(retentionOf(value)),
    logLevel: value.LOG_LEVEL,
    metrics: value.METRICS,
    tracing: tracing.settings,
    warnings: Object.freeze([...tracing.warnings, ...warningsOfVariableNames(names, variableNames)]),
    drainDelayMs: value.DRAIN_DELAY * 1000,
  });
}
