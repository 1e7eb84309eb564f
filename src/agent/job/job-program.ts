import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { quoted } from './job-workspace.js';

/** What the `buildkite-agent` of jobs is made of. */
export interface JobProgramParts {
  /** Program and first arguments that run it on this machine. */
  commandProgram: readonly string[];
  /** Path of the one file that holds the whole agent, which also runs where only this file is. */
  agentFile: string;
  /** Address of the server, for programs that did not get `BUILDKITE_AGENT_ENDPOINT`. */
  endpoint: string;
}

const name = 'buildkite-agent';
/** First argument with which the one file of the agent is that command. */
export const jobCommandWord = 'job-command';
/** Whether Node runs a file without extension as a module, and has all that the agent uses. */
const isNewEnough =
  '(([major, minor]) => major > 22 || (major === 22 && minor > 11) || (major === 20 && minor > ' +
  '18))(process.versions.node.split(".").map(Number))';
/** Files of former versions, which a job that still runs may use. */
const keepUnusedMs = 7 * 24 * 60 * 60_000;

/** Program and arguments that run `buildkite-agent`: this installation's own. */
export function ownCommandProgram(): string[] {
  return [process.execPath, '--no-warnings', fileURLToPath(new URL('../job-commands/main.js', import.meta.url))];
}

/** The one file of the agent that the build of this installation made. */
export function ownAgentFile(): string {
  return fileURLToPath(new URL('../../agent-bundle/slipway-agent.mjs', import.meta.url));
}

/**
 * Writes the `buildkite-agent` of jobs below the build path, once for all jobs, and returns its folder for the end of
 * PATH. It is below the build path because plugins mount this one file into containers, and a container's host knows
 * the build path best.
 */
export async function installJobProgram(buildPath: string, parts: JobProgramParts): Promise<string> {
  const parent = join(resolve(buildPath), '.bin');
  const bundle = await stat(parts.agentFile).catch(() => null);
  const head = headOf(parts, bundle !== null);
  const identity = JSON.stringify([head, parts.agentFile, bundle?.size, bundle?.mtimeMs]);
  const folder = join(parent, createHash('sha256').update(identity).digest('hex').slice(0, 16));
  const path = join(folder, name);
  const now = new Date();
  const isThere = await utimes(path, now, now).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    const text = bundle === null ? '' : await readFile(parts.agentFile, 'utf8');
    await writeFile(temporary, head + text.replace(/^#!.*\n/, ''), { mode: 0o755 });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await removeUnused(parent, now.getTime() - keepUnusedMs);
  return folder;
}

/**
 * The beginning of the file: a shell script that is a comment to Node, which runs the same file. On the agent's machine
 * it starts what is installed there; in a container, where plugins give it the variables of the job but not the
 * server's address, Node runs the rest of the file.
 */
function headOf({ commandProgram, endpoint }: JobProgramParts, isWhole: boolean): string {
  const [program = '', ...args] = commandProgram;
  const file = args.find((arg) => !arg.startsWith('-'));
  const present = [program, file].flatMap((path) => (path ? [`[ -e ${word(path)} ]`] : [])).join(' && ');
  const refusal = isWhole
    ? 'needs Node.js 20.19, 22.12 or newer in this container. Use an image with Node.js, mount another ' +
      'buildkite-agent (BUILDKITE_AGENT_BINARY_PATH), or switch mount-buildkite-agent off'
    : 'works on the machine of its agent only';
  const lines = [
    '#!/bin/sh',
    "':' /*",
    `if ${present}; then exec ${commandProgram.map(word).join(' ')} "$@"; fi`,
    ...(isWhole
      ? [
          `if node -e ${word(`process.exit(${isNewEnough} ? 0 : 1)`)} 2>/dev/null; then`,
          `  endpoint=${word(endpoint)}`,
          '  export BUILDKITE_AGENT_ENDPOINT="${BUILDKITE_AGENT_ENDPOINT:-$endpoint}"',
          `  exec node --no-warnings "$0" ${jobCommandWord} "$@"`,
          'fi',
        ]
      : []),
    `echo ${word(`buildkite-agent: this file of the bundled agent ${refusal}.`)} >&2`,
    'exit 1',
    '*/',
  ];
  return `${lines.join('\n')}\n`;
}

async function removeUnused(parent: string, before: number): Promise<void> {
  for (const each of await readdir(parent).catch(() => [])) {
    const folder = join(parent, each);
    const used = await stat(join(folder, name)).catch(() => null);
    if (used && used.mtimeMs < before) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A text as one word of a shell, without what would end a comment of JavaScript. */
function word(text: string): string {
  return quoted(text).replaceAll('*/', "*''/");
}
