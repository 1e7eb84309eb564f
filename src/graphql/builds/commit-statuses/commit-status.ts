import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { statusDelivery } from '../../../domain/integrations/status-delivery.js';
import type { CommitStatusRow, ShownBuildRow } from '../../../entities/database.js';
import { listCommitStatuses } from '../../../operations/builds/commit-statuses/list.js';
import { type PlannedStatus, previewCommitStatuses } from '../../../operations/builds/commit-statuses/preview.js';
import type { GraphqlContext } from '../../context.js';
import { ReadBy } from '../../execution/on-the-way.js';
import { Dear, dear } from '../../limits/dear.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';

@ObjectType('BuildCommitStatus', { description: 'A commit status of a build, as its provider has or shall have it.' })
class BuildCommitStatus {
  @Field(() => String, { description: 'Name under which the provider keeps it.' })
  context!: string;

  @Field(() => String, { description: 'Commit that has the status.' })
  commit!: string;

  @Field(() => String, {
    description:
      'State in the words of GitHub: `pending`, `success`, `failure` or `error`; other providers get theirs.',
  })
  state!: string;

  @Field(() => String, { description: 'Line that the provider shows.' })
  description!: string;

  @Field(() => String, {
    ...optional,
    name: 'error',
    description: 'Words of the provider in its last refusal; null if it did not refuse.',
  })
  lastError!: string | null;

  @Field(() => Int, { description: 'Requests that were made for its latest state.' })
  attempts!: number;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time of the next request at the earliest; null if there is none to come.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => DateTime, { description: 'Time its state last changed.' })
  updatedAt!: Date;
}

@Resolver(() => BuildCommitStatus)
class BuildCommitStatusResolver {
  @FieldResolver(() => String, {
    description:
      'Fate of the status: `waiting` (sent, or sent again, later), `sent`, `failed`, or `superseded` by a newer ' +
      'build of the commit.',
  })
  delivery(@Root() status: CommitStatusRow): string {
    return statusDelivery(status);
  }
}

@ObjectType('BuildPlannedCommitStatus', { description: 'A commit status that a build would send as it is now.' })
class BuildPlannedCommitStatus {
  @Field(() => String, { description: 'Name under which the provider would keep it.' })
  context!: string;

  @Field(() => String, { description: 'Commit that would have the status.' })
  commit!: string;

  @Field(() => String, {
    description:
      'State in the words of GitHub: `pending`, `success`, `failure` or `error`; other providers get theirs.',
  })
  state!: string;

  @Field(() => String, { description: 'Line that the provider would show.' })
  description!: string;

  @Field(() => String, {
    ...optional,
    name: 'error',
    description: 'Reason why it would not be sent; null for one that would be.',
  })
  problem!: string | null;
}

@Resolver(() => Build)
class CommitStatusesOfBuildResolver {
  @FieldResolver(() => [BuildCommitStatus], {
    description: 'Commit statuses of the build: first those of the build itself, then those of steps.',
  })
  async commitStatuses(@Root() { id }: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.performInBatch(listCommitStatuses, { build: { id } }, {});
  }

  @Dear(dear.ownStatements)
  @ReadBy(previewCommitStatuses)
  @FieldResolver(() => [BuildPlannedCommitStatus], {
    description:
      'Commit statuses that the build would send as it is now, by the present settings of its pipeline: first those ' +
      'of the build itself, then those of steps. None is sent.',
  })
  commitStatusPreview(@Root() { id }: ShownBuildRow, @Ctx() context: GraphqlContext): Promise<PlannedStatus[]> {
    return context.perform(previewCommitStatuses, { build: { id } });
  }
}

export const commitStatusResolvers = [BuildCommitStatusResolver, CommitStatusesOfBuildResolver];
