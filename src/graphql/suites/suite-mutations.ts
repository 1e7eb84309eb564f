import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createSuite } from '../../operations/suites/create.js';
import { deleteSuite } from '../../operations/suites/delete.js';
import { updateSuite } from '../../operations/suites/update.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { Suite, SuiteEdge } from './suite.js';

/** Fields that creating and updating a test suite share; an absent field keeps its value on update. */
@InputType('SuiteFieldsInput')
abstract class SuiteFieldsInput extends MutationInput {
  @Field(() => String, { ...optional, description: 'Name of the tested application.' })
  applicationName?: string | null;

  @Field(() => String, {
    ...optional,
    description: "Color of the test suite's icon in hexadecimal, such as `#14CC80`.",
  })
  color?: string | null;

  @Field(() => String, { ...optional, description: 'Emoji of the test suite, such as `:rocket:`.' })
  emoji?: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether the payload includes the upload token.' })
  showApiToken?: boolean | null;
}

@InputType({ description: 'Input of `suiteCreate`.' })
class SuiteCreateInput extends SuiteFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationID!: string;

  @Field(() => String, { description: 'Name of the test suite.' })
  name!: string;

  @Field(() => String, { description: 'Default branch of the test suite; stored only.' })
  defaultBranch!: string;

  @Field(() => [ID], {
    ...optional,
    description: 'GraphQL IDs or UUIDs of the teams that may read and edit the test suite.',
  })
  teamIds?: string[] | null;
}

@InputType({ description: 'Input of `suiteUpdate`; absent fields keep their values.' })
class SuiteUpdateInput extends SuiteFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the test suite.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'Name of the test suite.' })
  name?: string | null;

  @Field(() => String, { ...optional, description: 'Default branch of the test suite; stored only.' })
  defaultBranch?: string | null;
}

@InputType({ description: 'Input of `suiteDelete`.' })
class SuiteDeleteInput extends IdInput {}

const apiTokenOptions = {
  ...optional,
  description: 'Token for uploads to the test suite; null unless `showApiToken` is true and the token is known.',
};

@ObjectType({ description: 'Result of `suiteCreate`.' })
class SuiteCreatePayload extends MutationPayload {
  @Field(() => String, apiTokenOptions)
  apiToken!: string | null;

  @Field(() => Organization, { description: 'Organization of the test suite.' })
  organization!: unknown;

  @Field(() => Suite, { description: 'Test suite that was created.' })
  suite!: unknown;

  @Field(() => SuiteEdge, { description: 'Test suite as an edge, to append to a list of test suites.' })
  suiteEdge!: unknown;
}

@ObjectType({ description: 'Result of `suiteUpdate`.' })
class SuiteUpdatePayload extends MutationPayload {
  @Field(() => String, apiTokenOptions)
  apiToken!: string | null;

  @Field(() => Suite, { description: 'Test suite after the change.' })
  suite!: unknown;
}

@ObjectType({ description: 'Result of `suiteDelete`.' })
class SuiteDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted test suite.' })
  deletedSuiteID!: string;

  @Field(() => Organization, { description: 'Organization of the deleted test suite.' })
  organization!: unknown;
}

const suiteFields = ({ applicationName, color, emoji, showApiToken }: SuiteFieldsInput) => ({
  applicationName,
  color,
  emoji,
  showApiToken,
});

const addressOf = (id: string) => ({ suite: { id: uuidOf(id, ['Suite']) } });

@Resolver()
export class SuiteMutations {
  @Mutation(() => SuiteCreatePayload, { ...optional, description: 'Creates a test suite.' })
  async suiteCreate(
    @Arg('input', () => SuiteCreateInput, { description: 'Organization and fields of the new test suite.' })
    input: SuiteCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationID, name, defaultBranch, teamIds } = input;
    const fields = {
      organization: { id: uuidOf(organizationID, ['Organization']) },
      name,
      defaultBranch,
      teamIds,
      ...suiteFields(input),
    };
    const { organization, suite, apiToken } = await context.command(createSuite, fields);
    return payload(input, { apiToken, organization, suite, suiteEdge: newEdge(suite) });
  }

  @Mutation(() => SuiteUpdatePayload, { ...optional, description: 'Updates a test suite.' })
  async suiteUpdate(
    @Arg('input', () => SuiteUpdateInput, { description: 'Test suite and its new values.' }) input: SuiteUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const fields = {
      ...addressOf(input.id),
      name: input.name ?? undefined,
      defaultBranch: input.defaultBranch ?? undefined,
      ...suiteFields(input),
    };
    const { suite, apiToken } = await context.command(updateSuite, fields);
    return payload(input, { apiToken, suite });
  }

  @Mutation(() => SuiteDeletePayload, { ...optional, description: 'Deletes a test suite and its runs.' })
  async suiteDelete(
    @Arg('input', () => SuiteDeleteInput, { description: 'Test suite to delete.' }) input: SuiteDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, suite } = await context.command(deleteSuite, addressOf(input.id));
    return payload(input, { organization, deletedSuiteID: encodeNodeId('Suite', suite.id) });
  }
}
