import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { cancelCulpritSearch } from '../../../operations/builds/culprit-searches/cancel.js';
import { createCulpritSearch } from '../../../operations/builds/culprit-searches/create.js';
import type { GraphqlContext } from '../../context.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { uuidOf } from '../../nodes/ids.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';
import {
  CulpritSearch,
  CulpritSearchesOfBuildResolver,
  CulpritSearchesOfPipelineResolver,
  CulpritSearchResolver,
  CulpritTestResolver,
} from './culprit-search.js';

@InputType({ description: 'Input of `culpritSearchCreate`.' })
class CulpritSearchCreateInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID of the failed build.' })
  buildID!: string;

  @Field(() => [String], {
    ...optional,
    description: 'Keys or UUIDs of the steps to look at; all that failed if it is absent.',
  })
  steps?: string[] | null;

  @Field(() => String, {
    ...optional,
    description: 'SHA of a commit at which the steps passed; that of the last passed build if it is absent.',
  })
  goodCommit?: string | null;

  @Field(() => [String], {
    ...optional,
    description: 'SHAs of the commits between, oldest first; as the source provider has them if it is absent.',
  })
  commits?: string[] | null;
}

@InputType({ description: 'Input of `culpritSearchCancel`.' })
class CulpritSearchCancelInput extends IdInput {}

@ObjectType({ description: 'Result of `culpritSearchCreate`.' })
class CulpritSearchCreatePayload extends MutationPayload {
  @Field(() => CulpritSearch, { description: 'New search.' })
  culpritSearch!: unknown;

  @Field(() => Build, { description: 'Failed build of the search.' })
  build!: unknown;
}

@ObjectType({ description: 'Result of `culpritSearchCancel`.' })
class CulpritSearchCancelPayload extends MutationPayload {
  @Field(() => CulpritSearch, { description: 'Search that was canceled.' })
  culpritSearch!: unknown;
}

/** Names of the operation's fields in the mutation's input, for error messages. */
const fieldNames = { build: 'buildID' };

@Resolver()
class CulpritSearchMutations {
  @Mutation(() => CulpritSearchCreatePayload, {
    ...optional,
    description: 'Searches for the commit that turned the branch of a failed build red.',
  })
  async culpritSearchCreate(
    @Arg('input', () => CulpritSearchCreateInput, { description: 'Failed build, and what to look at.' })
    input: CulpritSearchCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { buildID, steps, goodCommit, commits } = input;
    const request = { build: { id: uuidOf(buildID, ['Build']) }, steps, goodCommit, commits };
    const { search, build } = await context.command(createCulpritSearch, request, fieldNames);
    return payload(input, { culpritSearch: search, build });
  }

  @Mutation(() => CulpritSearchCancelPayload, {
    ...optional,
    description: 'Cancels a search for a culprit, with its builds.',
  })
  async culpritSearchCancel(
    @Arg('input', () => CulpritSearchCancelInput, { description: 'Search to cancel.' })
    input: CulpritSearchCancelInput,
    @Ctx() context: GraphqlContext,
  ) {
    const address = { search: { id: uuidOf(input.id, ['CulpritSearch']) } };
    return payload(input, { culpritSearch: (await context.command(cancelCulpritSearch, address)).search });
  }
}

/** Resolvers of searches for culprits. */
export const culpritResolvers = [
  CulpritSearchResolver,
  CulpritTestResolver,
  CulpritSearchesOfBuildResolver,
  CulpritSearchesOfPipelineResolver,
  CulpritSearchMutations,
] as const;
