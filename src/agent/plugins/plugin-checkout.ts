import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { git, GitError, gitOutput } from '../checkout/git.js';
import type { PluginHooks } from '../hooks/job-hooks.js';
import type { JobContext } from '../job/job-context.js';
import { urlCredentials } from '../job/redactor.js';
import { wait } from '../wait.js';
import { pluginEnvironment } from './plugin-environment.js';
import {
  isLocalFolder,
  isVendored,
  PluginError,
  pluginLabel,
  pluginName,
  pluginRepository,
  type Plugin,
} from './plugin.js';

const attempts = 3;
const retryDelayMs = 2_000;

/** Checkouts of this process on their way, by folder: jobs of its agents wait for each other's. */
const underway = new Map<string, Promise<void>>();

/**
 * Checks out a plugin and returns its hooks. Each version is cloned once a machine, into `pluginsPath`.
 * @throws GitError or PluginError
 */
export async function checkoutPlugin(
  context: JobContext,
  plugin: Plugin,
  pluginsPath: string,
  retryScale: number,
): Promise<PluginHooks> {
  if (isLocalFolder(plugin)) return hooksIn(plugin, plugin.location);
  const { url, folder } = pluginRepository(plugin);
  context.log.hide(urlCredentials(url));
  const path = join(
    pluginsPath,
    pluginLabel(plugin)
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  );
  const fresh = context.env['BUILDKITE_PLUGINS_ALWAYS_CLONE_FRESH'] === 'true';
  const before = underway.get(path) ?? Promise.resolve();
  const checkout = before.then(() => cloneOnce(context, plugin, url, { path, pluginsPath, fresh, retryScale }));
  const settled = checkout.catch(() => undefined);
  underway.set(path, settled);
  try {
    await checkout;
  } finally {
    if (underway.get(path) === settled) underway.delete(path);
  }
  return hooksIn(plugin, join(path, folder));
}

/** The hooks of a plugin in the repository that the job has checked out. Throws PluginError. */
export function vendoredPlugin(plugin: Plugin, checkoutPath: string): PluginHooks {
  const path = resolve(checkoutPath, plugin.location);
  if (!isVendored(plugin) || relative(checkoutPath, path).startsWith('..'))
    throw new PluginError(`the plugin ${plugin.location} is outside the repository`);
  return hooksIn(plugin, path);
}

function hooksIn(plugin: Plugin, path: string): PluginHooks {
  const folder = join(path, 'hooks');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new PluginError(`the plugin ${pluginLabel(plugin)} has no folder ${folder}`);
  return { name: pluginName(plugin), folder, env: pluginEnvironment(plugin) };
}

interface Clone {
  path: string;
  pluginsPath: string;
  fresh: boolean;
  retryScale: number;
}

/**
 * Clones into a folder of another name and renames it, so that a folder by the plugin's name is always whole. Of two
 * agent processes that clone at the same time the second finds the folder of the first, and uses that.
 */
async function cloneOnce(
  context: JobContext,
  plugin: Plugin,
  url: string,
  { path, pluginsPath, fresh, retryScale }: Clone,
): Promise<void> {
  const { log } = context;
  if (fresh) await rm(path, { recursive: true, force: true });
  if (existsSync(join(path, '.git'))) {
    const commit = await gitOutput(context, path, 'rev-parse', '--short=7', 'HEAD');
    return log.line(`# Plugin ${pluginLabel(plugin)} is checked out already (${commit.trim()})`);
  }
  await mkdir(pluginsPath, { recursive: true });
  const temporary = join(pluginsPath, `.${randomUUID()}`);
  try {
    await log.line(`# Plugin ${pluginLabel(plugin)} is checked out to ${path}`);
    await clone(context, url, temporary, retryScale);
    if (plugin.version !== '')
      await git(context, temporary, '-c', 'advice.detachedHead=false', 'checkout', '-f', plugin.version);
    await rename(temporary, path).catch((error: unknown) => {
      if (!existsSync(join(path, '.git'))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function clone(context: JobContext, url: string, path: string, retryScale: number): Promise<void> {
  const { cwd, log, cancel, env } = context;
  const recursive = env['BUILDKITE_GIT_SUBMODULES'] === 'false' ? [] : ['--recursive'];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await git(context, cwd, 'clone', '-v', ...recursive, '--', url, path);
    } catch (error) {
      if (!(error instanceof GitError) || error.end.kind !== 'exited' || attempt === attempts) throw error;
      await log.line(`⚠️ The plugin could not be cloned, trying again (${attempt + 1}/${attempts})`);
      await rm(path, { recursive: true, force: true });
      await wait(retryDelayMs * retryScale, cancel);
    }
  }
}
