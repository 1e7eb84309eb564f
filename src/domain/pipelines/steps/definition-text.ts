import { stringify } from 'yaml';

/** Returns a definition, given as JSON text of at most `uploadKeptBytes`, as YAML. */
export function definitionYaml(json: string): string {
  // Values that are equal would become anchors, which nobody wrote.
  return stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 0 });
}
