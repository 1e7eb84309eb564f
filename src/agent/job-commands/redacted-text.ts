import { redactedVars, Redactor, tellable } from '../job/redactor.js';
import type { CommandIo } from './command-io.js';

/** A secret-like variable of a job. */
export interface SecretVariable {
  name: string;
  value: string;
}

/** Returns the variables whose names match `patterns` (with commas between) and whose values are long enough to be secrets. */
export function secretVariables(env: CommandIo['env'], patterns = redactedVars.join(',')): SecretVariable[] {
  const names = patterns
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => new RegExp(`^${pattern.split('*').map(escapeForRegExp).join('[^]*')}$`));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && tellable(value) && names.some((pattern) => pattern.test(name)) ? [{ name, value }] : [],
  );
}

/** Replaces the values of secret-like variables in a text that is about to be stored at the server, and says so. */
export function redactText(io: CommandIo, patterns: string | undefined, text: string): string {
  const redactor = new Redactor();
  redactor.add(secretVariables(io.env, patterns).map(({ value }) => value));
  const redacted = Buffer.concat([redactor.push(Buffer.from(text)), redactor.flush()]).toString();
  if (redacted !== text)
    io.err("warning: values of secret variables were redacted; --redacted-vars='' sends them as they are\n");
  return redacted;
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
