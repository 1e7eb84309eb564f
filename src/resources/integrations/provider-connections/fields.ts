import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { filledText, text } from '../../../domain/input-text.js';
import type { FieldProblem } from '../../../domain/problem.js';
import {
  type ConnectionProvider,
  hostedService,
  normalizedApiUrl,
} from '../../../domain/integrations/provider-connection.js';
import type { Context } from '../../../request/context.js';
import { sealToken } from '../../../engine/notifications/connection-access.js';
import { sealWebhookSecret } from '../webhook-deliveries/webhook-secret.js';

const isWebUrl = (value: string) =>
  URL.canParse(value) &&
  ['https:', 'http:'].includes(new URL(value).protocol) &&
  new URL(value).username === '' &&
  new URL(value).search === '';

/** Fields of a connection that can be set and changed. */
export const connectionFields = {
  /** The host by default. */
  name: filledText(limits.nameLength).nullish(),
  /** Root URL of the provider's API; that of the hosted service by default. */
  apiUrl: text(limits.repositoryUrlLength).refine(isWebUrl, 'must be a URL').nullish(),
  /** Host of the repositories; that of the API by default. */
  host: text(limits.nameLength).nullish(),
  token: filledText(limits.providerSecretLength).nullish(),
  /** Account of the token, where the host wants both. */
  username: filledText(limits.nameLength).nullish(),
  appId: filledText(limits.nameLength).nullish(),
  privateKey: filledText(limits.privateKeyLength).nullish(),
  /** Secret that webhooks made through this connection are signed with. */
  webhookSecret: filledText(limits.providerSecretLength).nullish(),
};

export type ConnectionFields = z.output<z.ZodObject<typeof connectionFields>>;

const takesUsername = (provider: ConnectionProvider) => provider === 'bitbucket' || provider === 'bitbucket_server';

/**
 * Returns what is wrong with the fields of a connection of this kind. `isNew`: whether what a connection needs must be
 * among them, because nothing is stored yet.
 */
export function connectionProblems(
  provider: ConnectionProvider,
  fields: ConnectionFields,
  isNew: boolean,
): FieldProblem[] {
  const isApp = provider === 'github_app';
  const problems: FieldProblem[] = [];
  const check = (field: keyof ConnectionFields, problem: string | null) => {
    if (problem !== null) problems.push({ field, code: problem });
  };
  const needs = (field: keyof ConnectionFields) => check(field, isNew && !fields[field] ? 'missing' : null);
  const refuses = (field: keyof ConnectionFields, where: string) =>
    check(field, fields[field] ? `is taken for ${where} only` : null);
  if (isApp) {
    needs('appId');
    needs('privateKey');
    refuses('token', 'providers other than github_app');
    check('privateKey', fields.privateKey ? privateKeyProblem(fields.privateKey) : null);
  } else {
    needs('token');
    refuses('appId', 'github_app');
    refuses('privateKey', 'github_app');
  }
  if (!takesUsername(provider)) refuses('username', 'bitbucket and bitbucket_server');
  if (!hostedService[provider]) needs('apiUrl');
  return problems;
}

/** A key as it is after its way through an environment variable, in which its lines may have become `\n`. */
export const readPem = (value: string): string => `${value.replaceAll('\\n', '\n').trim()}\n`;

function privateKeyProblem(value: string): string | null {
  try {
    return createPrivateKey(readPem(value)).asymmetricKeyType === 'rsa' ? null : 'must be an RSA key';
  } catch {
    return 'must be a private key in PEM form, as GitHub hands it out';
  }
}

/** Columns of the fields that are given. */
export function connectionColumns(
  context: Context,
  provider: ConnectionProvider,
  { name, apiUrl, host, token, username, appId, privateKey, webhookSecret }: ConnectionFields,
) {
  const { services } = context;
  const secret = provider === 'github_app' ? privateKey && readPem(privateKey) : token;
  return {
    ...(name ? { name } : {}),
    ...(apiUrl ? { apiUrl: normalizedApiUrl(provider, apiUrl) } : {}),
    ...(host ? { host: host.toLowerCase() } : {}),
    ...(secret ? { token: sealToken(services, secret) } : {}),
    ...(username === undefined ? {} : { username }),
    ...(appId ? { appId } : {}),
    ...(webhookSecret === undefined
      ? {}
      : { webhookSecret: webhookSecret === null ? null : sealWebhookSecret(context, webhookSecret) }),
  };
}
