import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';

import { segment } from '../http.js';
import { redactInLog } from './agent-calls.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import {
  collect,
  jobOption,
  localCommand,
  redactedVarsOption,
  serverCommand,
  switchOption,
  valueOption,
  wholeNumber,
} from './command-options.js';
import { namedSecrets } from './redacted-text.js';
import { required, ServerCalls, textOf, type ServerOptions } from './server-calls.js';

interface SecretOptions extends ServerOptions {
  job?: string;
  format: string;
  skipRedaction: boolean;
  applyVarsFilter: boolean;
  redactedVars?: string;
  audience?: string;
  lifetime?: number;
  claim?: string[];
  awsSessionTag?: string[];
  subjectClaim?: string;
}

/** `buildkite-agent secret get`: prints secrets of the cluster and hides them from the log first. */
export function secretCommand(io: CommandIo): Command {
  const get = serverCommand(io, 'get', 'Print secrets. Their values are hidden from the log of the job.')
    .argument('<key...>')
    .addOption(jobOption(io))
    .addOption(
      valueOption(io, '--format <format>', 'default, json or env', 'BUILDKITE_AGENT_SECRET_GET_FORMAT', 'default'),
    )
    .addOption(
      switchOption(
        io,
        '--skip-redaction',
        'do not hide the values from the log',
        'BUILDKITE_AGENT_SECRET_GET_SKIP_SECRET_REDACTION',
      ),
    )
    .action(async (keys: string[], options: SecretOptions) => {
      if (!['default', 'json', 'env'].includes(options.format))
        throw new CommandFailure(`Unknown format "${options.format}": it must be default, json or env.`);
      const job = required(options.job, 'job', 'BUILDKITE_JOB_ID');
      const calls = new ServerCalls(io, options);
      const secrets: [string, string][] = [];
      for (const key of keys) {
        const path = `jobs/${segment(job)}/secrets?key=${encodeURIComponent(key)}`;
        secrets.push([key, textOf(await calls.call('secret', 'GET', path), 'value')]);
      }
      if (!options.skipRedaction)
        await redactInLog(
          io,
          secrets.map(([, value]) => value),
        );
      io.out(secretsText(secrets, options.format));
    });
  return new Command('secret').description('Secrets of the cluster.').addCommand(get);
}

function secretsText(secrets: readonly [string, string][], format: string): string {
  if (format === 'env')
    return [...secrets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key.toUpperCase()}='${value.replaceAll("'", `'\\''`)}'\n`)
      .join('');
  if (format === 'default' && secrets.length === 1) return `${secrets[0]?.[1] ?? ''}\n`;
  return `${JSON.stringify(Object.fromEntries(secrets))}\n`;
}

/** `buildkite-agent oidc request-token`. */
export function oidcCommand(io: CommandIo): Command {
  const requestToken = serverCommand(io, 'request-token', 'Print an OIDC token of the job.')
    .option('--audience <audience>', 'for whom the token is')
    .option('--lifetime <seconds>', 'how long it is valid', wholeNumber)
    .addOption(jobOption(io))
    .addOption(
      valueOption(
        io,
        '--subject-claim <claim>',
        'claim that becomes the subject',
        'BUILDKITE_OIDC_TOKEN_SUBJECT_CLAIM',
      ),
    )
    .option('--claim <claim>', 'an optional claim (repeatable)', collect)
    .option('--aws-session-tag <claim>', 'a claim that becomes an AWS session tag (repeatable)', collect)
    .option('--format <format>', 'jwt or gcp', 'jwt')
    .addOption(
      switchOption(
        io,
        '--skip-redaction',
        'do not hide the token from the log',
        'BUILDKITE_AGENT_OIDC_REQUEST_TOKEN_SKIP_TOKEN_REDACTION',
      ),
    )
    .action(async (options: SecretOptions) => {
      if (!['jwt', 'gcp'].includes(options.format))
        throw new CommandFailure(`Unknown format "${options.format}": it must be jwt or gcp.`);
      const job = required(options.job, 'job', 'BUILDKITE_JOB_ID');
      const reply = await new ServerCalls(io, options).call('oidc', 'POST', `jobs/${segment(job)}/oidc/tokens`, {
        audience: options.audience,
        lifetime: options.lifetime,
        claims: options.claim,
        aws_session_tags: options.awsSessionTag,
        subject_claim: options.subjectClaim,
      });
      const token = textOf(reply, 'token');
      if (!options.skipRedaction) await redactInLog(io, [token]);
      const gcp = { id_token: token, token_type: 'urn:ietf:params:oauth:token-type:jwt', version: 1, success: true };
      io.out(`${options.format === 'gcp' ? JSON.stringify(gcp) : token}\n`);
    });
  return new Command('oidc').description('OpenID Connect.').addCommand(requestToken);
}

/** `buildkite-agent redactor add`. */
export function redactorCommand(io: CommandIo): Command {
  const add = localCommand(io, 'add', 'Hide a text from the log of the job from now on.')
    .argument('[file]', 'file that holds it; default standard input')
    .addOption(
      valueOption(
        io,
        '--format <format>',
        'none: the whole text; json: the values of an object',
        'BUILDKITE_AGENT_REDACT_ADD_FORMAT',
        'none',
      ),
    )
    .addOption(
      switchOption(
        io,
        '--apply-vars-filter',
        'of a JSON object only values of names that match --redacted-vars',
        'BUILDKITE_AGENT_REDACT_VARS_FILTER',
      ),
    )
    .addOption(redactedVarsOption(io))
    .action(async (file: string | undefined, options: SecretOptions) => {
      const text =
        file === undefined || file === '-' ? await io.readStdin() : await readFile(resolve(io.cwd, file), 'utf8');
      await redactInLog(io, secretsIn(text, options));
    });
  return new Command('redactor').description('Hiding of secrets in the log.').addCommand(add);
}

function secretsIn(text: string, options: SecretOptions): string[] {
  if (options.format === 'none') return [text.trim()];
  if (options.format !== 'json')
    throw new CommandFailure(`Unknown format "${options.format}": it must be none or json.`);
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    // Nothing of the text is shown: it holds secrets.
    throw new CommandFailure('The input is not JSON.');
  }
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  if (Array.isArray(values) || entries.length === 0 || entries.some(([, value]) => typeof value !== 'string'))
    throw new CommandFailure('The input is not a JSON object with texts as values.');
  const secrets = Object.fromEntries(entries) as Record<string, string>;
  return options.applyVarsFilter
    ? namedSecrets(secrets, options.redactedVars).map(({ value }) => value)
    : Object.values(secrets);
}
