import { pluginName, type Plugin } from './plugin.js';

/**
 * A plugin's configuration as the variables that its hooks read: `BUILDKITE_PLUGIN_<NAME>_<KEY>` for each value, with
 * the index for members of lists and the key for those of objects, and all of it as JSON.
 */
export function pluginEnvironment(plugin: Plugin): Record<string, string> {
  const name = variableName(pluginName(plugin));
  const variables: Record<string, string> = {
    BUILDKITE_PLUGIN_NAME: name,
    BUILDKITE_PLUGIN_CONFIGURATION: JSON.stringify(plugin.configuration),
  };
  flatten(variables, `BUILDKITE_PLUGIN_${name}`, plugin.configuration);
  return variables;
}

function flatten(variables: Record<string, string>, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) value.forEach((item, index) => flatten(variables, `${name}_${index}`, item));
  else if (typeof value === 'object')
    for (const [key, item] of Object.entries(value)) flatten(variables, `${name}_${variableName(key)}`, item);
  else if (!/[=\0]/.test(name)) variables[name] = String(value);
}

function variableName(key: string): string {
  return key.toUpperCase().replace(/[-\s]/g, '_');
}
