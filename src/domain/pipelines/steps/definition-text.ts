import { stringify } from 'yaml';

/** Returns a definition, given as JSON text of at most `uploadKeptBytes`, as YAML. */
export function definitionYaml(json: string): string {
  // Otherwise equal values become anchors, which the author did not write.
  return stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 0 });
}
