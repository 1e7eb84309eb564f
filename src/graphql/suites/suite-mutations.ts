import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createSuite } from '../../operations/suites/create.js';
import { deleteSuite } from '../../operations/suites/delete.js';
import { updateSuite } from '../../operations/suites/update.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { Suite, SuiteEdge } from './suite.js';

const showToken = { ...optional, description: 'Also give the upload token.' };

@InputType({ description: 'A test suite to be made.' })
class SuiteCreateInput extends MutationInput {
  @Field(() => ID)
  organizationID!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  defaultBranch!: string;

  @Field(() => String, optional)
  applicationName?: string | null;

  @Field(() => String, optional)
  color?: string | null;

  @Field(() => String, optional)
  emoji?: string | null;

  @Field(() => Boolean, showToken)
  showApiToken?: boolean | null;
}

@InputType({ description: 'What is to change of a test suite.' })
class SuiteUpdateInput extends IdInput {
  @Field(() => String, optional)
  name?: string | null;

  @Field(() => String, optional)
  defaultBranch?: string | null;

  @Field(() => String, optional)
  applicationName?: string | null;

  @Field(() => String, optional)
  color?: string | null;

  @Field(() => String, optional)
  emoji?: string | null;

  @Field(() => Boolean, showToken)
  showApiToken?: boolean | null;
}

@InputType({ description: 'A test suite to be deleted.' })
class SuiteDeleteInput extends IdInput {}

const tokenShown = { ...optional, description: 'The upload token, where it was asked for and is known.' };

@ObjectType({ description: 'The test suite that was made.' })
class SuiteCreatePayload extends MutationPayload {
  @Field(() => String, tokenShown)
  apiToken!: string | null;

  @Field(() => Organization)
  organization!: unknown;

  @Field(() => Suite)
  suite!: unknown;

  @Field(() => SuiteEdge)
  suiteEdge!: unknown;
}

@ObjectType({ description: 'The test suite as it is now.' })
class SuiteUpdatePayload extends MutationPayload {
  @Field(() => String, tokenShown)
  apiToken!: string | null;

  @Field(() => Suite)
  suite!: unknown;
}

@ObjectType({ description: 'What was deleted, and where.' })
class SuiteDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedSuiteID!: string;

  @Field(() => Organization)
  organization!: unknown;
}

const addressOf = (id: string) => ({ suite: { id: uuidOf(id, ['Suite']) } });

@Resolver()
export class SuiteMutations {
  @Mutation(() => SuiteCreatePayload, { ...optional, description: 'Makes a test suite.' })
  async suiteCreate(@Arg('input', () => SuiteCreateInput) input: SuiteCreateInput, @Ctx() context: GraphqlContext) {
    const { organizationID, name, defaultBranch, applicationName, color, emoji, showApiToken } = input;
    const given = { organization: { id: uuidOf(organizationID, ['Organization']) }, name, defaultBranch, applicationName, color, emoji, showApiToken };
    const { organization, suite, apiToken } = await context.command(createSuite, given);
    return payload(input, { apiToken, organization, suite, suiteEdge: { cursor: edgeCursor(suite.id), node: suite } });
  }

  @Mutation(() => SuiteUpdatePayload, { ...optional, description: 'Changes a test suite.' })
  async suiteUpdate(@Arg('input', () => SuiteUpdateInput) input: SuiteUpdateInput, @Ctx() context: GraphqlContext) {
    const { applicationName, color, emoji, showApiToken } = input;
    const given = { ...addressOf(input.id), name: input.name ?? undefined, defaultBranch: input.defaultBranch ?? undefined, applicationName, color, emoji, showApiToken };
    const { suite, apiToken } = await context.command(updateSuite, given);
    return payload(input, { apiToken, suite });
  }

  @Mutation(() => SuiteDeletePayload, { ...optional, description: 'Deletes a test suite with its runs.' })
  async suiteDelete(@Arg('input', () => SuiteDeleteInput) input: SuiteDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization, suite } = await context.command(deleteSuite, addressOf(input.id));
    return payload(input, { organization, deletedSuiteID: encodeNodeId('Suite', suite.id) });
  }
}

/** The place of a new suite in lists by creation, which is where clients put it. */
const edgeCursor = (id: string) => Buffer.from(JSON.stringify([id, id])).toString('base64url');
