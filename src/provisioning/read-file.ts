import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { limits } from '../domain/limits/limits.js';
import { provisioningPlan } from '../resources/installation/provisioning/plan.js';
import { duplicates, literalSecrets, unresolvedReferences } from './consistency.js';
import { type FileProblem, type Position, ProvisioningError } from './problem.js';
import { type Loose, type ReadYaml, readYaml } from './read-yaml.js';

/** A valid file: the input of the operation and the positions of its values. */
export interface ProvisioningFile {
  file: string;
  plan: Loose;
  /** Returns the position of a path in the plan, or of the nearest value around it. */
  locate(path: string): Position;
}

/** Reads and checks a provisioning file; throws {@link ProvisioningError} with all its problems. */
export function readProvisioningFile(file: string, env: Record<string, string | undefined>): ProvisioningFile {
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > limits.provisioningFileBytes)
      throw new ProvisioningError(file, [
        { line: 1, column: 1, message: `has ${size} bytes: at most ${limits.provisioningFileBytes} are read` },
      ]);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ProvisioningError) throw error;
    throw new ProvisioningError(file, [
      { line: 1, column: 1, message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` },
    ]);
  }
  return readProvisioning(text, file, env);
}

/** Checks the text of a provisioning file; `file` is its name in messages. Throws {@link ProvisioningError}. */
export function readProvisioning(
  text: string,
  file: string,
  env: Record<string, string | undefined>,
): ProvisioningFile {
  const yaml = readYaml(text, env);
  const locate = (path: string) => positionOf(yaml, path);
  const at = ({ path, message }: { path: string; message: string }): FileProblem => ({ ...locate(path), message });
  const result = provisioningPlan.safeParse(yaml.value, { reportInput: true });
  const problems = [
    ...yaml.problems,
    ...(result.error?.issues ?? []).flatMap((issue) => describeIssue(yaml, issue)),
    ...duplicates(yaml.value).map(at),
    ...literalSecrets(yaml.value, yaml.references).map(at),
  ];
  if (problems.length > 0 || !result.success)
    throw new ProvisioningError(file, [...problems, ...unresolvedReferences(yaml.value).map(at)]);
  return { file, plan: yaml.value, locate };
}

function positionOf({ values }: ReadYaml, path: string): Position {
  for (let around = path; around !== ''; around = around.slice(0, Math.max(around.lastIndexOf('.'), 0))) {
    const position = values.get(around);
    if (position) return position;
  }
  return values.get('') ?? { line: 1, column: 1 };
}

function describeIssue(yaml: ReadYaml, issue: z.core.$ZodIssue): FileProblem[] {
  const path = issue.path.join('.');
  if (yaml.unreadable.has(path)) return [];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const inner = path === '' ? key : `${path}.${key}`;
      return {
        ...(yaml.keys.get(inner) ?? positionOf(yaml, path)),
        message: `unknown key ${JSON.stringify(snakeCase(key))}`,
      };
    });
  }
  // Where "all" or a list is accepted, a list with invalid items is reported as a list.
  const ofList =
    issue.code === 'invalid_union'
      ? issue.errors.find((errors) => errors.some((inner) => inner.path.length > 0 || inner.code === 'too_small'))
      : undefined;
  if (ofList) return ofList.flatMap((inner) => describeIssue(yaml, { ...inner, path: [...issue.path, ...inner.path] }));
  const key = snakeCase(String(issue.path.at(-1) ?? ''));
  if (issue.input === undefined) return [{ ...positionOf(yaml, path), message: `${key} is missing` }];
  const name = typeof issue.path.at(-1) === 'number' ? 'the entry' : key || 'the file';
  return [
    {
      ...positionOf(yaml, path),
      message:
        issue.code === 'custom' && issue.message.startsWith('there is')
          ? issue.message
          : `${name} ${describeExpectation(issue)}`,
    },
  ];
}

const kinds: Record<string, string> = {
  string: 'text (put it in quotes)',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  number: 'a number',
};

function describeExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_union') return 'must be "all" or a list';
  return issue.message;
}

const snakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
