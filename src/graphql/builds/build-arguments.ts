import { ArgsType, Field } from 'type-graphql';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { BuildStates } from '../enums.js';
import { optional } from '../options.js';
import { uuidOf } from '../ids.js';
import { DateTime } from '../scalars/date-time.js';
import { metaDataFilter } from './meta-data-filter.js';

/** What lists of builds can be narrowed by; `creator` and `finishedFrom` are ours, as on /v2. */
@ArgsType()
export class BuildArguments extends PageArguments {
  @Field(() => [String], { ...optional, description: 'Branches; `%default` stands for the default branch.' })
  branch?: string[] | null;

  @Field(() => [String], optional)
  commit?: string[] | null;

  @Field(() => DateTime, optional)
  createdAtFrom?: Date | null;

  @Field(() => DateTime, optional)
  createdAtTo?: Date | null;

  @Field(() => String, { ...optional, description: 'The id or uuid of the person who created the build.' })
  creator?: string | null;

  @Field(() => DateTime, optional)
  finishedFrom?: Date | null;

  @Field(() => [String], { ...optional, description: 'Pairs of `key=value` that a build must have.' })
  metaData?: string[] | null;

  @Field(() => [BuildStates], optional)
  state?: string[] | null;
}

/** The same arguments as input of the build lists. */
export function buildFilterInput(given: BuildArguments) {
  return {
    branch: given.branch,
    commit: given.commit,
    createdFrom: given.createdAtFrom,
    createdTo: given.createdAtTo,
    creator: given.creator ? uuidOf(given.creator, ['User']) : null,
    finishedFrom: given.finishedFrom,
    metaData: metaDataFilter(given.metaData),
    state: given.state,
    paging: stretchOf(given),
  };
}
