import { agentMatches } from '../../agents/dispatch.js';

/** An agent of a queue that is connected. */
export interface QueueAgent {
  metaData: readonly string[];
  /** `free` agents get a job at their next ping. */
  activity: 'free' | 'busy' | 'paused' | 'stopping';
}

export interface QueueFacts {
  key: string;
  paused: boolean;
  /** What the user who paused it wrote. */
  pausedNote: string | null;
  agents: readonly QueueAgent[];
  /** Keys of the connected stacks that registered for the queue and start agents for its jobs. */
  stacks: readonly string[];
}

export const queueReasons = [
  'queue_paused',
  'stack',
  'no_agents',
  'no_matching_agents',
  'agents_paused',
  'agents_busy',
  'dispatch',
] as const;

export interface QueueExplanation {
  reason: (typeof queueReasons)[number];
  message: string;
}

/** Explains why no agent of its queue has taken a job with these agent query rules. */
export function explainQueue(rules: readonly string[], queue: QueueFacts): QueueExplanation {
  const named = `The queue "${queue.key}"`;
  if (queue.paused)
    return { reason: 'queue_paused', message: `${named} is paused${queue.pausedNote ? `: ${queue.pausedNote}` : '.'}` };
  const matching = queue.agents.filter(({ metaData }) => agentMatches(rules, metaData, queue.key));
  const [stack] = queue.stacks;
  if (stack !== undefined && matching.length === 0)
    return {
      reason: 'stack',
      message: `The stack "${stack}" starts agents for the queue, and has not taken the job yet.`,
    };
  if (queue.agents.length === 0) return { reason: 'no_agents', message: `${named} has no connected agent.` };
  if (matching.length === 0)
    return { reason: 'no_matching_agents', message: `${named} has no agent with ${unmatched(rules, queue)}.` };
  const activities = new Set(matching.map(({ activity }) => activity));
  if (activities.has('free'))
    return {
      reason: 'dispatch',
      message: 'A free agent can run the job, and is offered jobs in order of priority and age.',
    };
  const words = busyWords.flatMap(([activity, word]) => (activities.has(activity) ? word : []));
  const all = matching.length === 1 ? 'The agent that matches is' : `All ${matching.length} agents that match are`;
  return {
    reason: activities.has('busy') ? 'agents_busy' : 'agents_paused',
    message: `${all} ${words.join(' or ')}.`,
  };
}

const busyWords = [
  ['busy', 'busy with other jobs'],
  ['paused', 'paused'],
  ['stopping', 'stopping'],
] as const;

/** The rules that no agent of the queue satisfies, or all of them where each has its agents. */
function unmatched(rules: readonly string[], { key, agents }: QueueFacts): string {
  const own = rules.filter((rule) => rule !== '*' && !rule.startsWith('queue='));
  const nobody = own.filter((rule) => !agents.some(({ metaData }) => agentMatches([rule, `queue=*`], metaData, key)));
  const tags = nobody.length > 0 ? nobody : own;
  return tags.length === 1 ? `the tag ${tags[0]}` : `the tags ${tags.join(', ')} together`;
}
