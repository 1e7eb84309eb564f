import { z } from 'zod';
import { limits } from './domain/limits.js';

const port = z.coerce.number().int().min(0).max(65_535);
const perMinute = z.coerce.number().int().min(0).max(1_000_000);
const onOff = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((word) => ['on', 'true', '1'].includes(word));

const words = (text: string) => text.split(',').map((word) => word.trim()).filter((word) => word !== '');
const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must hold addresses or networks, separated by commas' });

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  STORAGE_URL: z.url({ protocol: /^(file|s3)$/ }).or(z.string().regex(/^file:.+/)).optional(),
  SECRET_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  RATE_LIMIT_ORGANIZATION: perMinute.default(6000),
  RATE_LIMIT_USER: perMinute.default(3000),
  GRAPHQL_COST_LIMIT: z.coerce.number().int().min(0).default(50_000),
  GRAPHQL_POINTS_ORGANIZATION: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  GRAPHQL_POINTS_USER: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  WEBHOOK_IPS: z.string().default('').transform(words).pipe(z.array(addressOrNetwork).max(100)),
  METRICS: onOff.default(true),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  /** The root of every URL handed out, without a trailing slash. Null until the port is known (PORT=0). */
  readonly baseUrl: string;
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  readonly storageUrl: string | undefined;
  /** Undefined only with the embedded database: it is then generated into the data directory. */
  readonly secretKey: string | undefined;
  readonly rateLimitOrganization: number;
  readonly rateLimitUser: number;
  readonly graphqlCostLimit: number;
  /** What `/v2/meta` says that deliveries of webhooks come from. */
  readonly webhookIps: readonly string[];
  /** GraphQL points of five minutes; off where the limit of requests is off and nothing else is said. */
  readonly graphqlPointsOrganization: number;
  readonly graphqlPointsUser: number;
  readonly logLevel: string;
  readonly metrics: boolean;
}

/** Thrown for a configuration that cannot work; the message names every problem, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the configuration from environment variables (operations.md, Configuration), frozen; throws {@link ConfigError}. */
export function readConfig(env: Record<string, string | undefined>): Config {
  // A variable that is set but empty is a variable that is not set, as in a compose file with `NAME=`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(given);
  const problems = result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (given['DATABASE_URL'] && !given['SECRET_KEY']) {
    problems.push('SECRET_KEY: required with DATABASE_URL (at least 32 characters, the same on every replica)');
  }
  if (!result.success || problems.length > 0) throw new ConfigError(`the configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  const value = result.data;
  const host = value.HOST.includes(':') ? `[${value.HOST}]` : value.HOST;
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    baseUrl: (value.BASE_URL ?? `http://${host}:${value.PORT}`).replace(/\/+$/, ''),
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    dataDir: value.DATA_DIR,
    storageUrl: value.STORAGE_URL,
    secretKey: value.SECRET_KEY,
    rateLimitOrganization: value.RATE_LIMIT_ORGANIZATION,
    rateLimitUser: value.RATE_LIMIT_USER,
    graphqlCostLimit: value.GRAPHQL_COST_LIMIT,
    webhookIps: Object.freeze(value.WEBHOOK_IPS),
    graphqlPointsOrganization: value.GRAPHQL_POINTS_ORGANIZATION ?? (value.RATE_LIMIT_ORGANIZATION === 0 ? 0 : limits.graphqlOrganizationPoints),
    graphqlPointsUser: value.GRAPHQL_POINTS_USER ?? (value.RATE_LIMIT_USER === 0 ? 0 : limits.graphqlUserPoints),
    logLevel: value.LOG_LEVEL,
    metrics: value.METRICS,
  });
}
