import { Field, ID, InputType } from 'type-graphql';
import { IdInput, MutationInput } from '../mutation-input.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

@InputType({ description: 'A person, or a team, that is to maintain a cluster: one of the two.' })
export class ClusterMaintainerInput {
  @Field(() => ID, optional)
  teamId?: string | null;

  @Field(() => ID, optional)
  userId?: string | null;
}

/** A thing of an organization, which clients name beside the thing itself (graphql-facts 1.4). */
@InputType('IdInOrganizationMutationInput')
export abstract class IdInOrganizationInput extends IdInput {
  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'A cluster to be made.' })
export class ClusterCreateInput extends MutationInput {
  @Field(() => String, optional)
  color?: string | null;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  emoji?: string | null;

  @Field(() => [ClusterMaintainerInput], optional)
  maintainers?: ClusterMaintainerInput[] | null;

  @Field(() => String)
  name!: string;

  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'Changes to a cluster; what is absent stays as it is.' })
export class ClusterUpdateInput extends IdInOrganizationInput {
  @Field(() => String, optional)
  color?: string | null;

  @Field(() => ID, { ...optional, description: 'The queue of jobs that name none; null for no such queue.' })
  defaultQueueId?: string | null;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  emoji?: string | null;

  @Field(() => String, optional)
  name?: string | null;
}

@InputType({ description: 'A cluster to be deleted.' })
export class ClusterDeleteInput extends IdInOrganizationInput {}

@InputType({ description: 'A maintainer to be added to a cluster.' })
export class ClusterMaintainerCreateInput extends ClusterMaintainerInput {
  @Field(() => String, { ...optional, description: 'Comes back in the payload as it is.' })
  clientMutationId?: string | null;

  @Field(() => ID)
  clusterId!: string;

  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'A maintainer to be removed from a cluster.' })
export class ClusterMaintainerDeleteInput extends IdInOrganizationInput {}

@InputType({ description: 'A queue to be made.' })
export class ClusterQueueCreateInput extends MutationInput {
  @Field(() => ID)
  clusterId!: string;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String)
  key!: string;

  @Field(() => ID)
  organizationId!: string;

  @Field(() => String, { ...optional, description: 'prefer-warmest or prefer-different.' })
  retryAgentAffinity?: string | null;
}

@InputType({ description: 'Changes to a queue; what is absent stays as it is.' })
export class ClusterQueueUpdateInput extends IdInOrganizationInput {
  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, { ...optional, description: 'prefer-warmest or prefer-different.' })
  retryAgentAffinity?: string | null;
}

@InputType({ description: 'A queue to be deleted.' })
export class ClusterQueueDeleteInput extends IdInOrganizationInput {}

@InputType({ description: 'A queue whose jobs are to be held back.' })
export class ClusterQueuePauseDispatchInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Why.' })
  note?: string | null;
}

@InputType({ description: 'A queue whose jobs are to be given out again.' })
export class ClusterQueueResumeDispatchInput extends IdInput {}

@InputType({ description: 'An agent token to be made.' })
export class ClusterAgentTokenCreateInput extends MutationInput {
  @Field(() => String, { ...optional, description: 'Addresses it may be used from, separated by spaces.' })
  allowedIpAddresses?: string | null;

  @Field(() => ID)
  clusterId!: string;

  @Field(() => String)
  description!: string;

  @Field(() => DateTime, optional)
  expiresAt?: Date | null;

  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'Changes to an agent token.' })
export class ClusterAgentTokenUpdateInput extends IdInOrganizationInput {
  @Field(() => String, { ...optional, description: 'Addresses it may be used from, separated by spaces.' })
  allowedIpAddresses?: string | null;

  @Field(() => String)
  description!: string;
}

@InputType({ description: 'An agent token to be revoked.' })
export class ClusterAgentTokenRevokeInput extends IdInOrganizationInput {}
