import type { RuleAction as Action } from '../../domain/agents/organization-rules.js';
import { declare, listOrders } from './declare.js';

export const ClusterOrder = declare('ClusterOrder', 'Order of clusters.', {
  name: listOrders.name,
  recently_created: listOrders.recently_created,
});

export const ClusterQueueOrder = declare('ClusterQueueOrder', 'Order of the queues of a cluster.', {
  key: 'Alphabetical by key.',
  recently_created: listOrders.recently_created,
});

export const RuleAction = declare('RuleAction', 'Action that a rule allows.', {
  trigger_build: 'Builds of the source pipeline may start builds of the target pipeline.',
  artifacts_read: 'Jobs of the source pipeline may download artifacts of the target pipeline.',
} satisfies Record<Action, string>);

export const RuleEffect = declare('RuleEffect', 'Effect of a rule.', { allow: 'The rule allows its action.' });

export const RuleOrder = declare('RuleOrder', 'Order of rules.', { recently_created: listOrders.recently_created });

export const RuleSourceType = declare('RuleSourceType', 'Type of the object that a rule allows an action.', {
  pipeline: 'A pipeline.',
});

export const RuleTargetType = declare('RuleTargetType', 'Type of the object that the action of a rule is aimed at.', {
  pipeline: 'A pipeline.',
});
