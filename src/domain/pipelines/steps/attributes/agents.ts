import { isObject, scalarText, type Attributes } from './attributes.js';
import type { Json } from '../step.js';

/** `agents` (or `agent_query_rules`) as `key=value` rules, from a map, a list of rules or a list of maps. */
export function readAgents(attributes: Attributes): string[] {
  const name = attributes.spelling('agents', 'agent_query_rules');
  const value = attributes.value(name);
  if (value === undefined || value === null) return [];
  const rules = (Array.isArray(value) ? value : [value]).map(rulesOf);
  if (rules.includes(undefined)) {
    attributes.problem(name, `"${name}" must be a map of tags or a list of key=value rules.`);
    return [];
  }
  return rules.flatMap((each) => each ?? []);
}

function rulesOf(item: Json): string[] | undefined {
  const text = scalarText(item);
  if (text !== undefined) return text === '' ? [] : [text];
  if (!isObject(item)) return undefined;
  const rules = Object.entries(item).map(([key, value]) => {
    const tag = value === null ? '' : scalarText(value);
    return tag === undefined ? undefined : `${key}=${tag}`;
  });
  return rules.includes(undefined) ? undefined : (rules as string[]);
}
