import type { Attributes } from '../attributes/attributes.js';
import { readStepBase } from './step-base.js';
import type { GroupStep, Json } from '../step.js';

type Member = GroupStep['steps'][number];

/**
 * Reads a group; `readSteps` reads its members. The group's `if` and `skip` are merged into them: a member runs
 * when both conditions hold, and its own skip reason wins.
 */
export function readGroupStep(attributes: Attributes, readSteps: (items: Json[], path: string) => Member[]): GroupStep {
  const base = readStepBase(attributes, attributes.text('group'));
  const items = attributes.value('steps');
  if (!Array.isArray(items) || items.length === 0)
    attributes.problem('steps', 'A group needs a list of at least one step.');
  const members = Array.isArray(items) ? readSteps(items, attributes.pathOf('steps')) : [];
  const steps = members.map((member): Member => ({
    ...member,
    if: bothConditions(base.if, member.if),
    skip: member.skip === false ? base.skip : member.skip,
  }));
  return { type: 'group', ...base, notify: attributes.items('notify'), steps };
}

function bothConditions(outer: string | null, inner: string | null): string | null {
  if (outer === null || inner === null) return outer ?? inner;
  // The line ends keep a comment in one condition from swallowing the closing bracket.
  const closed = (condition: string): string => (condition.includes('//') ? `(${condition}\n)` : `(${condition})`);
  return `${closed(outer)} && ${closed(inner)}`;
}
