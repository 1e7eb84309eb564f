import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import { actionOfType, ruleTypes } from '../../../domain/agents/organization-rules.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import {
  alreadyThere,
  recordRule,
  requireEnds,
  ruleDescription,
  ruleValue,
} from '../../../resources/agents/rules/fields.js';
import type { RuleSubject } from '../../../resources/agents/rules/find-rule.js';

/**
 * Creates a rule: one pipeline may trigger another, or read its artifacts, regardless of clusters and teams, from
 * builds for which its conditions are true. Refuses an
 * unknown type, a pipeline that does not exist, source and target being the same, and a second rule of one type between
 * the same two pipelines.
 */
export const createRule = defineOperation({
  name: 'rule.create',
  summary: 'Creates a rule.',
  kind: 'command',
  scope: 'write_rules',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    type: text(limits.filterLength),
    value: ruleValue,
    description: ruleDescription,
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { type, value, description }, { organization }: OrganizationSubject): Promise<RuleSubject> => {
    const action = actionOfType(type);
    if (!action) throw wrongState(`Validation failed: type must be one of ${ruleTypes.join(', ')}`);
    const ends = await requireEnds(context, organization, value);
    const rule = await context.db
      .insertInto('rules')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        action,
        ...ends,
        conditions: value.conditions ?? [],
        description: description ?? null,
        createdById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['sourcePipelineId', 'targetPipelineId', 'action']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!rule) throw alreadyThere();
    recordRule(context, rule, 'create');
    return { organization, rule };
  },
});
