import { redactedVars, Redactor, secretVariables, type SecretVariable } from '../job/redactor.js';
import type { CommandIo } from './command-io.js';

/**
 * Returns the variables whose names match `patterns`, with commas between, and whose values are long enough to be
 * secrets.
 */
export function namedSecrets(env: CommandIo['env'], patterns = redactedVars.join(',')): SecretVariable[] {
  const names = patterns.split(',').map((pattern) => pattern.trim());
  return secretVariables(
    env,
    names.filter((pattern) => pattern !== ''),
  );
}

/** Replaces the values of secret-like variables in a text that is about to be stored at the server, and says so. */
export function redactText(io: CommandIo, patterns: string | undefined, text: string): string {
  const redactor = new Redactor();
  redactor.add(namedSecrets(io.env, patterns).map(({ value }) => value));
  const redacted = Buffer.concat([redactor.push(Buffer.from(text)), redactor.flush()]).toString();
  if (redacted !== text)
    io.err("warning: values of secret variables were redacted; --redacted-vars='' sends them as they are\n");
  return redacted;
}
