import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import type { VariableNames } from '../domain/installation/variable-names.js';
import { readByteSize } from '../domain/limits/byte-size.js';
import { limits } from '../domain/limits/limits.js';
import { readLimits } from '../domain/limits/raised-limits.js';
import { readCronLine } from '../domain/pipelines/cron/cron-line.js';
import { readAge } from '../domain/retention/age.js';

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

/** Address of a mail server with its user; nothing else of a URL means anything to it. */
const smtpUrl = z.string().superRefine((text, context) => {
  const problem = smtpProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: `${problem}, not ${withoutPassword(text)}` });
});

const smtpForm = 'must be smtp://user:password@host:port or smtps://user:password@host:port';

function smtpProblem(text: string): string | null {
  if (!URL.canParse(text)) return smtpForm;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  if (!/^smtps?:$/.test(protocol) || hostname === '') return smtpForm;
  if (!/^\/?$/.test(pathname) || search + hash !== '') return `${smtpForm}, with nothing behind the port`;
  return (username === '') === (password === '') ? null : `${smtpForm}: user and password go together`;
}

/** The value with `***` for the password; of what is no URL, for all that may hold one. */
function withoutPassword(text: string): string {
  const rest = text.slice(text.lastIndexOf('@') + 1);
  if (!text.includes('@')) return text.slice(0, 200);
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0] ?? '';
  const user = scheme === '' ? '' : (/^[^:@/]*/.exec(text.slice(scheme.length))?.[0] ?? '');
  return `${scheme}${user}${user === '' ? '' : ':'}***@${rest}`.slice(0, 200);
}

/** A mail address, alone or as `Name <address>`. */
const mailFrom = z.string().refine((text) => {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return z.email().safeParse(address).success;
}, 'must be a mail address, such as ci@example.com or Slipway <ci@example.com>');

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

/** The variables that a server reads, each with its form and default (docs/operations.md#configuration). */
export const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: rootUrl.optional(),
  REPORTS_URL: rootUrl.optional(),
  TLS_CERT: z.string().min(1).optional(),
  TLS_KEY: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
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
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
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
  BUILD_EXPORT_TO: z
    .string()
    .regex(/^(s3|file):/, 'must begin with s3: or file:')
    .optional(),
});

/** Variables in the list of docs/operations.md#variables-of-later-releases. */
export const variableNames: VariableNames = {
  supported: Object.keys(environment.shape),
  unsupported: new Map(),
  families: [
    'BACKUP_',
    'BUILD_EXPORT',
    'GRAPHQL_',
    'OIDC_',
    'RATE_LIMIT_',
    'REPLY_MEMORY',
    'RETENTION_',
    'SECRET_KEY',
    'STORAGE_',
  ],
};

/** Variables whose values hold credentials: error messages never show them. */
export const secretVariables: ReadonlySet<string> = new Set([
  'BACKUP_TO',
  'BUILD_EXPORT_TO',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'STORAGE_URL',
] satisfies (keyof typeof environment.shape)[]);

/** The value that a variable has where it is not set; undefined for one without a fixed default. */
export function defaultOf(name: string): unknown {
  const schema = (environment.shape as Record<string, z.ZodType | undefined>)[name];
  return schema?.safeParse(undefined).data;
}
