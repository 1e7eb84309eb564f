import { z } from 'zod';
import { invalidField } from '../../domain/problem.js';
import { slugFromName } from '../../domain/slug.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { suiteBranch, suiteFields, suiteName } from '../../resources/suites/fields.js';
import { recordSuite } from '../../resources/suites/record.js';
import type { ShownSuite } from '../../resources/suites/shown-suite.js';
import { newSuiteToken, shownToken } from '../../resources/suites/token.js';

/** Creates a suite with an upload token. Its slug is derived from the name and must be free. */
export const createSuite = defineOperation({
  name: 'suite.create',
  summary: 'Creates a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, name: suiteName, defaultBranch: suiteBranch, ...suiteFields }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<ShownSuite> => {
    const slug = slugFromName(request.name);
    if (slug === null) throw invalidField('name', 'has no letter or digit to make a slug from');
    const suite = await context.db
      .insertInto('suites')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        slug,
        name: request.name,
        defaultBranch: request.defaultBranch,
        applicationName: request.applicationName ?? null,
        color: request.color ?? null,
        emoji: request.emoji ?? null,
        ...newSuiteToken(context),
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'slug']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!suite) throw invalidField('name', 'has already been taken');
    recordSuite(context, suite, { type: 'suite.create', data: { slug, name: suite.name } });
    return {
      organization,
      suite,
      apiToken: request.showApiToken ? shownToken(context, { suite, editable: true }) : null,
    };
  },
});
