import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { idFromEither } from '../../../domain/node-id.js';
import { ruleActions } from '../../../domain/agents/organization-rules.js';
import type { RuleRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf, text } from '../../../domain/input-text.js';

const pipeline = text(limits.filterLength).nullish();

/**
 * Lists the rules of an organization, newest first; administrators only. `source` and `target`: uuid or node id of a
 * pipeline.
 */
export const listRules = defineOperation({
  name: 'rule.list',
  summary: 'Lists the rules of an organization.',
  kind: 'query',
  scope: 'read_rules',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    actions: z.array(oneOf(ruleActions)).nullish(),
    source: pipeline,
    target: pipeline,
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (
    context,
    { actions, source, target, paging: page },
    { organization }: OrganizationSubject,
  ): Promise<Page<RuleRow>> => {
    let query = context.db.selectFrom('rules as r').selectAll('r').where('r.organizationId', '=', organization.id);
    if (actions && actions.length > 0) query = query.where('r.action', 'in', actions);
    if (source) query = query.where('r.sourcePipelineId', '=', idFromEither(source, ['Pipeline']) ?? nothing);
    if (target) query = query.where('r.targetPipelineId', '=', idFromEither(target, ['Pipeline']) ?? nothing);
    return paginate(context.db, query, newestFirst<RuleRow>('r.id'), page);
  },
});

const nothing = '00000000-0000-0000-0000-000000000000';
