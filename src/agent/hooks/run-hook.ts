import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { protectedVariables } from '../job-socket/job-socket.js';
import type { Ending } from '../job/ending.js';
import type { JobContext } from '../job/job-context.js';
import { quoted } from '../job/job-workspace.js';
import type { ProcessEnd } from '../job/process.js';
import { runInJob } from '../job/run-in-job.js';
import { environmentChanges, readDump } from './environment-changes.js';
import { hookKind } from './hook-file.js';

/** A hook to run. */
export interface Hook {
  /** Whose hook it is, as its header in the log shows: "agent", "repository" or "plugin docker". */
  owner: string;
  scope: 'agent' | 'repository' | 'plugin';
  name: string;
  path: string;
  /** Variables of this hook alone, such as a plugin's configuration. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Runs a hook in the folder of the job. A shell script is sourced, so that the job goes on with the environment and in
 * the folder that the script leaves; other programs change the environment by `buildkite-agent env set`.
 */
export async function runHook(context: JobContext, hook: Hook, ending: Ending = context): Promise<ProcessEnd> {
  const { log } = context;
  await log.group(`Running ${hook.owner} ${hook.name} hook`);
  const shown = relative(context.cwd, hook.path);
  await log.line(`$ ${shown.startsWith('..') ? hook.path : shown}`);
  const before = {
    ...context.env,
    ...hook.env,
    BUILDKITE_HOOK_PHASE: hook.name,
    BUILDKITE_HOOK_PATH: hook.path,
    BUILDKITE_HOOK_SCOPE: hook.scope,
  };
  const run = (argv: readonly [string, ...string[]]): Promise<ProcessEnd> =>
    runInJob(context, { argv, cwd: context.cwd, env: before }, ending);
  const kind = await hookKind(hook.path);
  const end =
    kind.kind === 'shell' ? await sourced(context, hook.path, kind.words, before, run) : await run([hook.path]);
  const status = end.kind === 'exited' ? end.code : -1;
  context.env['BUILDKITE_LAST_HOOK_EXIT_STATUS'] = String(status);
  return end;
}

async function sourced(
  context: JobContext,
  path: string,
  shell: readonly [string, ...string[]],
  before: Readonly<Record<string, string>>,
  run: (argv: readonly [string, ...string[]]) => Promise<ProcessEnd>,
): Promise<ProcessEnd> {
  const wrapper = join(context.folder, 'hook');
  const dump = join(context.folder, 'hook.env');
  await rm(dump, { force: true });
  await writeFile(
    wrapper,
    [
      `. ${quoted(path)}`,
      'slipway_hook_status=$?',
      // Overwrites also where the hook has set noclobber; a hook that exits by itself gets no further than its exit.
      `{ printf '%s\\0' "$PWD" && /usr/bin/env -0; } >| ${quoted(dump)}`,
      'exit "$slipway_hook_status"',
      '',
    ].join('\n'),
  );
  const end = await run([...shell, wrapper]);
  const after = end.kind === 'exited' && end.code === 0 ? await readFile(dump).catch(() => undefined) : undefined;
  const left = after && readDump(after);
  if (left) await carryOn(context, before, left);
  return end;
}

/** Goes on with what a hook left: variables, except those that only the agent sets, and the folder. */
async function carryOn(
  context: JobContext,
  before: Readonly<Record<string, string>>,
  after: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const { added, changed, removed } = environmentChanges(before, after.env);
  const names = [...Object.keys(added), ...Object.keys(changed), ...removed];
  const blocked = names.filter((name) => protectedVariables.has(name));
  if (blocked.length > 0) await context.log.line(`# Only the agent may change ${blocked.join(', ')}`);
  const lines: string[] = [];
  for (const [word, values] of Object.entries({ added, changed })) {
    for (const [name, value] of Object.entries(values)) {
      if (protectedVariables.has(name)) continue;
      context.env[name] = value;
      lines.push(`# ${name} ${word}`);
    }
  }
  for (const name of removed) {
    if (protectedVariables.has(name)) continue;
    delete context.env[name];
    lines.push(`# ${name} removed`);
  }
  context.log.hideSecretsOf(context.env);
  for (const line of lines) await context.log.line(line);
  context.cwd = after.cwd;
}
