import { ArgsType, Field } from 'type-graphql';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { BuildStates } from '../enums.js';
import { optional } from '../server/options.js';
import { uuidOf } from '../nodes/ids.js';
import { DateTime } from '../scalars/date-time.js';
import { metaDataFilter } from './meta-data-filter.js';

/**
 * Filters that lists of builds have; `creator` and `finishedFrom` extend the public schema by filters of the REST API.
 */
@ArgsType()
export class BuildArguments extends PageArguments {
  @Field(() => [String], {
    ...optional,
    description:
      'Branches; only builds of one of them. `*` stands for any text, `%default` for the default branch of the ' +
      'pipeline.',
  })
  branch?: string[] | null;

  @Field(() => [String], { ...optional, description: 'Commits; only builds of one of them.' })
  commit?: string[] | null;

  @Field(() => DateTime, { ...optional, description: 'Only builds created at this time or later.' })
  createdAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only builds created before this time.' })
  createdAtTo?: Date | null;

  @Field(() => String, {
    ...optional,
    description: 'GraphQL ID or UUID of a user; only builds that this user created.',
  })
  creator?: string | null;

  @Field(() => DateTime, { ...optional, description: 'Only builds that finished at this time or later.' })
  finishedFrom?: Date | null;

  @Field(() => [String], {
    ...optional,
    description: 'Pairs of `key=value`; only builds with all of these meta-data values.',
  })
  metaData?: string[] | null;

  @Field(() => [BuildStates], { ...optional, description: 'States; only builds in one of them.' })
  state?: string[] | null;
}

/** The input of the build list operations for these arguments. */
export function buildFilterInput(args: BuildArguments) {
  return {
    branch: args.branch,
    commit: args.commit,
    createdFrom: args.createdAtFrom,
    createdTo: args.createdAtTo,
    creator: args.creator ? uuidOf(args.creator, ['User']) : null,
    finishedFrom: args.finishedFrom,
    metaData: metaDataFilter(args.metaData),
    state: args.state,
    paging: stretchOf(args),
  };
}
