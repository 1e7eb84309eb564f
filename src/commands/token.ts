import { Command, InvalidArgumentError } from 'commander';
import { canonicalScope, heldScopes, scopes as everyScope } from '../domain/organizations/scopes.js';
import { asOperator } from './as-operator.js';
import { note, print } from './output.js';

interface CreateOptions {
  user: string;
  description: string;
  scopes: string[];
  organizations: string[] | 'all';
  expiresAt?: Date;
  json?: boolean;
}

/** `slipway token create`: issues an API token and prints it, once. */
export function tokenCommand(): Command {
  const create = new Command('create')
    .description('Issue an API token for a user. It is printed once; only its hash is kept.')
    .requiredOption('--user <email>', 'the user it acts as')
    .requiredOption('--description <text>', 'purpose of the token')
    .requiredOption('--scopes <list>', 'scopes with commas between, or "all"', readScopes)
    .requiredOption('--organizations <list>', 'organization slugs with commas between, or "all"', readOrganizations)
    .option('--expires-at <time>', 'ISO 8601, such as 2030-01-31T12:00:00Z', readTime)
    .option('--json', 'print the token and what it may do as JSON')
    .action(createToken);
  return new Command('token').description('API tokens.').addCommand(create);
}

async function createToken(options: CreateOptions): Promise<void> {
  const { createApiToken } = await import('../operations/organizations/api-tokens/create.js');
  const { token, row } = await asOperator('slipway token create', createApiToken, {
    userEmail: options.user,
    description: options.description,
    scopes: options.scopes,
    organizations: options.organizations,
    expiresAt: options.expiresAt ?? null,
  });
  if (!options.json) await note('The token is shown this once:');
  await print(
    options.json,
    {
      token,
      id: row.id,
      user: options.user,
      description: row.description,
      scopes: row.scopes,
      organizations: options.organizations,
      expires_at: row.expiresAt?.toISOString() ?? null,
    },
    token,
  );
}

const words = (value: string) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function readScopes(value: string): string[] {
  if (value === 'all') return [...everyScope];
  const scopes = words(value);
  const unknown = scopes.filter((word) => canonicalScope(word) === null);
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}. Scopes are: ${everyScope.join(', ')}.`);
  if (scopes.length === 0) throw new InvalidArgumentError('At least one scope is needed.');
  return heldScopes(scopes);
}

function readOrganizations(value: string): string[] | 'all' {
  if (value === 'all') return 'all';
  const slugs = [...new Set(words(value))];
  if (slugs.length === 0) throw new InvalidArgumentError('At least one organization is needed.');
  return slugs;
}

function readTime(value: string): Date {
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(value);
  const time = new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(value) || !value.includes('T') ? value : `${value}Z`);
  if (!iso || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be an ISO 8601 time, such as 2030-01-31T12:00:00Z.');
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('It lies in the past.');
  return time;
}
