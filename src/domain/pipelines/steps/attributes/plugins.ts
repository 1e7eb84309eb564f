import { isObject, type Attributes } from './attributes.js';
import type { Json, JsonObject } from '../step.js';

/**
 * Reads `plugins`, a list of sources or maps, or one map, into a list of one-key maps from full source to configuration
 * (null without one). Null if the step has no `plugins`.
 */
export function readPlugins(attributes: Attributes): Json[] | null {
  const value = attributes.value('plugins');
  if (value === undefined || value === null) return null;
  const list = Array.isArray(value);
  return (list ? value : [value]).flatMap((item, index) => {
    if (typeof item === 'string' && item !== '') return [canonicalPlugin(item, null)];
    if (isObject(item))
      return Object.entries(item).map(([source, configuration]) => canonicalPlugin(source, configuration));
    const name = list ? `plugins[${index}]` : 'plugins';
    attributes.problem(
      name,
      'A plugin must be a source such as "docker#v5.0.0", or a map of a source to its configuration.',
    );
    return [];
  });
}

/** Returns one plugin in the form that agents read; an empty configuration becomes null. */
export function canonicalPlugin(source: string, configuration: Json): JsonObject {
  const empty = configuration !== null && typeof configuration === 'object' && Object.keys(configuration).length === 0;
  return { [fullPluginSource(source)]: empty ? null : configuration };
}

/**
 * The full source of a plugin: `docker#v1` is `github.com/buildkite-plugins/docker-buildkite-plugin#v1`,
 * `org/name` is `github.com/org/name-buildkite-plugin`; paths, URLs and longer names stay as they are.
 */
export function fullPluginSource(source: string): string {
  if (source === '' || /^[/.\\]/.test(source)) return source;
  const hash = source.indexOf('#');
  const name = hash === -1 ? source : source.slice(0, hash);
  const version = hash === -1 || hash === source.length - 1 ? '' : source.slice(hash);
  const parts = name.split('/');
  // A colon before the first slash is a scheme, a drive letter or an scp-like address: meant as written.
  if (parts.length > 2 || parts[0]?.includes(':')) return source;
  const path = parts.length === 1 ? ['buildkite-plugins', ...parts] : parts;
  return `github.com/${path.join('/')}-buildkite-plugin${version}`;
}
