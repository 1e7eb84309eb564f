import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { wrongState } from '../../domain/problem.js';
import { actionOfType, ruleTypes } from '../../domain/rules.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { text } from '../text.js';
import { alreadyThere, recordRule, requireEnds, ruleDescription, ruleValue } from './fields.js';
import type { RuleSubject } from './find-rule.js';

/**
 * Allows one pipeline to trigger another, or to read its artifacts, whatever their clusters and teams (rest-facts 3.7).
 * Refuses an unknown type, pipelines that are not there or are one, and a second rule of the same type between the same two.
 */
export const createRule = defineOperation({
  name: 'rule.create',
  summary: 'Creates a rule.',
  kind: 'command',
  scope: 'write_rules',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, type: text(limits.filterLength), value: ruleValue, description: ruleDescription }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { type, value, description }, { organization }: OrganizationSubject): Promise<RuleSubject> => {
    const action = actionOfType(type);
    if (!action) throw wrongState(`Validation failed: type must be one of ${ruleTypes.join(', ')}`);
    const ends = await requireEnds(context, organization, value);
    const rule = await context.db
      .insertInto('rules')
      .values({
        id: context.newId(), organizationId: organization.id, action, ...ends, description: description ?? null,
        createdById: context.userId, createdAt: context.now, updatedAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['sourcePipelineId', 'targetPipelineId', 'action']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!rule) throw alreadyThere();
    recordRule(context, rule, 'create');
    return { organization, rule };
  },
});
