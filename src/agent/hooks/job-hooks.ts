import { join } from 'node:path';

import type { Ending } from '../job/ending.js';
import type { JobContext } from '../job/job-context.js';
import type { ProcessEnd } from '../job/process.js';
import { findHook } from './hook-file.js';
import { runHook, type Hook } from './run-hook.js';

/** A hook that did not exit 0. */
export class HookError extends Error {
  override readonly name = 'HookError';

  constructor(
    message: string,
    readonly end: ProcessEnd,
  ) {
    super(message);
  }
}

/** The hooks of a plugin that is checked out, with its configuration as variables. */
export interface PluginHooks {
  name: string;
  folder: string;
  env: Readonly<Record<string, string>>;
}

export interface HookFolders {
  /** Folder of the agent's own hooks. */
  agent: string | undefined;
  /** False: a repository with hooks fails its jobs. */
  repositoryHooksEnabled: boolean;
}

/** The hooks of a job, of the agent, the repository and the step's plugins, in the order of the open-source agent. */
export class JobHooks {
  /** Plugins whose hooks run, in the order of the step. */
  readonly plugins: PluginHooks[] = [];

  constructor(
    private readonly context: JobContext,
    private readonly folders: HookFolders,
  ) {}

  /**
   * Runs the hooks of a name: the agent's, the repository's, then those of plugins.
   * @throws HookError for the first that fails; the others do not run
   */
  async run(name: string, ending?: Ending): Promise<void> {
    await this.runAll([...this.agent(name), ...this.repository(name), ...this.ofPlugins(name)], ending);
  }

  /** Runs the hooks of a name of the agent and of plugins, before there is a repository. Throws HookError. */
  async runBeforeCheckout(name: string): Promise<void> {
    await this.runAll([...this.agent(name), ...this.ofPlugins(name)]);
  }

  /** Runs the agent's hook of a name. Throws HookError. */
  async runAgent(name: string): Promise<void> {
    await this.runAll(this.agent(name));
  }

  /** Runs the hooks of a name of these plugins. Throws HookError. */
  async runPlugins(name: string, plugins: readonly PluginHooks[]): Promise<void> {
    await this.runAll(this.ofPlugins(name, plugins));
  }

  /**
   * Runs the one checkout hook there is: of a plugin, else the agent's.
   * @returns whether there was one
   * @throws HookError
   */
  async replaceCheckout(): Promise<boolean> {
    const hook = await this.single([...this.ofPlugins('checkout'), ...this.agent('checkout')]);
    if (hook) await this.runAll([hook]);
    return hook !== undefined;
  }

  /**
   * Runs the one command hook there is: of a plugin, else the repository's, else the agent's. Undefined without one.
   */
  async replaceCommand(): Promise<ProcessEnd | undefined> {
    const hook = await this.single([
      ...this.ofPlugins('command'),
      ...this.repository('command'),
      ...this.agent('command'),
    ]);
    return hook && runHook(this.context, hook);
  }

  /** The first of several hooks that can only run once; a plugin's hook that is passed over is named in the log. */
  private async single([first, ...others]: readonly Hook[]): Promise<Hook | undefined> {
    for (const other of others)
      if (other.scope === 'plugin')
        await this.context.log.line(
          `⚠️ The ${other.name} hook of ${other.owner} does not run: ${first?.owner} has one that comes first`,
        );
    return first;
  }

  private async runAll(hooks: readonly Hook[], ending?: Ending): Promise<void> {
    for (const hook of hooks) {
      const end = await runHook(this.context, hook, ending);
      if (end.kind === 'exited' && end.code === 0) continue;
      throw new HookError(`The ${hook.owner} ${hook.name} hook ${howItEnded(end)}`, end);
    }
  }

  private agent(name: string): Hook[] {
    const path = this.folders.agent === undefined ? undefined : findHook(this.folders.agent, name);
    return path === undefined ? [] : [{ owner: 'agent', scope: 'agent', name, path }];
  }

  private repository(name: string): Hook[] {
    const { env } = this.context;
    const checkout = env['BUILDKITE_BUILD_CHECKOUT_PATH'];
    const path = checkout ? findHook(join(checkout, '.buildkite', 'hooks'), name) : undefined;
    if (path === undefined) return [];
    if (!this.folders.repositoryHooksEnabled || /^(true|1)$/.test(env['BUILDKITE_NO_LOCAL_HOOKS'] ?? ''))
      throw new HookError(`This agent does not run hooks of repositories, and this one has ${path}`, {
        kind: 'exited',
        code: 1,
      });
    return [{ owner: 'repository', scope: 'repository', name, path }];
  }

  private ofPlugins(name: string, plugins: readonly PluginHooks[] = this.plugins): Hook[] {
    return plugins.flatMap((plugin) => {
      const path = findHook(plugin.folder, name);
      return path === undefined
        ? []
        : [{ owner: `plugin ${plugin.name}`, scope: 'plugin' as const, name, path, env: plugin.env }];
    });
  }
}

function howItEnded(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exited with status ${end.code}`;
    case 'signalled':
    case 'cancelled':
      return `was killed by ${end.signal}`;
    case 'not_started':
      return `could not be started: ${end.message}`;
  }
}
