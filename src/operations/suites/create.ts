import { z } from 'zod';
import { invalidField } from '../../domain/problem.js';
import { slugFromName } from '../../domain/slug.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { suiteBranch, suiteFields, suiteName } from './fields.js';
import { recordSuite } from './record.js';
import type { ShownSuite } from './shown-suite.js';
import { newSuiteToken, shownToken } from './token.js';

/** Creates a suite with an upload token of its own (rest-facts 3.8). Its slug is made from the name, and must be free. */
export const createSuite = defineOperation({
  name: 'suite.create',
  summary: 'Creates a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, name: suiteName, defaultBranch: suiteBranch, ...suiteFields }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization }: OrganizationSubject): Promise<ShownSuite> => {
    const slug = slugFromName(given.name);
    if (slug === null) throw invalidField('name', 'has no letter or digit to make a slug from');
    const suite = await context.db
      .insertInto('suites')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        slug,
        name: given.name,
        defaultBranch: given.defaultBranch,
        applicationName: given.applicationName ?? null,
        color: given.color ?? null,
        emoji: given.emoji ?? null,
        ...newSuiteToken(context),
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'slug']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!suite) throw invalidField('name', 'has already been taken');
    recordSuite(context, suite, { type: 'suite.create', data: { slug, name: suite.name } });
    return { organization, suite, apiToken: given.showApiToken ? shownToken(context, { suite, editable: true }) : null };
  },
});
