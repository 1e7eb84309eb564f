/** A plugin that a step asks for. */
export interface Plugin {
  /** Where it is, without scheme, credentials and version: `github.com/org/name`, `./folder` or `/folder`. */
  location: string;
  scheme: string;
  credentials: string;
  /** Branch, tag or commit; empty for the default branch. */
  version: string;
  configuration: Readonly<Record<string, unknown>>;
}

/** Text in a step's plugins that names no plugin. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/**
 * Reads the plugins of a step, JSON of a list of names and of objects with a name and its configuration.
 * @throws PluginError
 */
export function readPlugins(json: string): Plugin[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    throw new PluginError('BUILDKITE_PLUGINS is not JSON');
  }
  if (list === null) return [];
  if (!Array.isArray(list)) throw new PluginError('BUILDKITE_PLUGINS is not a list');
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [pluginOf(item, {})];
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new PluginError(`${JSON.stringify(item)} is not the name of a plugin`);
    return Object.entries(item).map(([source, configuration]: [string, unknown]) => {
      if (typeof configuration !== 'object' || Array.isArray(configuration))
        throw new PluginError(`the configuration of the plugin ${source} is not an object`);
      return pluginOf(source, (configuration ?? {}) as Record<string, unknown>);
    });
  });
}

/**
 * `docker#v5` as `github.com/buildkite-plugins/docker-buildkite-plugin#v5`, `org/x` likewise; paths and URLs as they
 * are.
 */
export function fullSource(source: string): string {
  if (/^[/.\\]|^[a-z][a-z0-9+.-]*:/i.test(source)) return source;
  const [path = '', ...version] = source.split('#');
  const parts = path.split('/');
  if (parts.length > 2) return source;
  const [organization, name] = parts.length === 2 ? parts : ['buildkite-plugins', path];
  return [`github.com/${organization}/${name}-buildkite-plugin`, ...version].join('#');
}

function pluginOf(source: string, configuration: Readonly<Record<string, unknown>>): Plugin {
  const full = fullSource(source);
  const [address = '', version = '', ...more] = full.split('#');
  if (more.length > 0) throw new PluginError(`the plugin ${source} has more than one version`);
  // A version is given to git.
  if (version.startsWith('-')) throw new PluginError(`the version of the plugin ${source} begins with a dash`);
  const [, scheme = '', credentials = '', location = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^@/]*)@)?(.*)$/i.exec(address) ?? [];
  if (scheme.startsWith('zip+')) throw new PluginError(`the plugin ${source} is an archive; only git is supported`);
  if (location === '' || (!isVendored({ location }) && !location.includes('/')))
    throw new PluginError(`the plugin ${source} names no repository`);
  return { location, scheme, credentials, version, configuration };
}

/** Whether a plugin is a folder of the repository that the job checks out. */
export function isVendored({ location }: Pick<Plugin, 'location'>): boolean {
  return location.startsWith('.');
}

/** Whether a plugin is a folder of this machine that is used where it is. */
export function isLocalFolder({ location, scheme, version }: Plugin): boolean {
  return location.startsWith('/') && scheme === '' && version === '';
}

/** `docker-compose` of `github.com/buildkite-plugins/docker-compose-buildkite-plugin`. */
export function pluginName({ location }: Plugin): string {
  const last = location.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last
    .replace(/^\.+/, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]/g, '-')
    .replaceAll('-buildkite-plugin-git', '')
    .replaceAll('-buildkite-plugin', '');
}

/** Name of the plugin with its version, for the log. */
export function pluginLabel({ location, version }: Plugin): string {
  return version === '' ? location : `${location}#${version}`;
}

/** The repository of a plugin, and the folder of the plugin inside. */
export function pluginRepository(plugin: Plugin): { url: string; folder: string } {
  const parts = plugin.location.split('/');
  const [host] = parts;
  const dotGit = parts.findIndex((part) => part.endsWith('.git'));
  let length = dotGit < 0 ? parts.length : dotGit + 1;
  if (host === 'github.com' || host === 'bitbucket.org') length = 3;
  if (host === 'gitlab.com') length = dotGit < 0 ? parts.length : dotGit + 1;
  if (length > parts.length) throw new PluginError(`the plugin ${pluginLabel(plugin)} names no repository`);
  const repository = parts.slice(0, length).join('/');
  const credentials = plugin.credentials === '' ? '' : `${plugin.credentials}@`;
  const url = repository.startsWith('/') ? repository : `${plugin.scheme || 'https'}://${credentials}${repository}`;
  return { url, folder: parts.slice(length).join('/') };
}
