import { Field, Float, ID, InputType } from 'type-graphql';
import { IdInput, MutationInput } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import {
  HostedAgentsQueueSettingsCreateInput,
  HostedAgentsQueueSettingsUpdateInput,
} from '../queues/hosted-agent-inputs.js';

@InputType({ description: 'User or team that maintains a cluster; exactly one of `userId` and `teamId`.' })
export class ClusterMaintainerInput {
  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of the team; absent if the maintainer is a user.' })
  teamId?: string | null;

  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of the user; absent if the maintainer is a team.' })
  userId?: string | null;
}

/** Input of a mutation inside an organization, which clients name beside the object itself. */
@InputType('InOrganizationMutationInput')
export abstract class InOrganizationInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

/** Input of a mutation of one object inside an organization. */
@InputType('IdInOrganizationMutationInput')
export abstract class IdInOrganizationInput extends InOrganizationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the object.' })
  id!: string;
}

/** Fields that creating and updating a cluster share. */
@InputType('ClusterFieldsInput')
abstract class ClusterFieldsInput extends InOrganizationInput {
  @Field(() => String, { ...optional, description: "Background color of the cluster's icon, such as `#14CC80`." })
  color?: string | null;

  @Field(() => String, { ...optional, description: 'Description of the cluster.' })
  description?: string | null;

  @Field(() => String, { ...optional, description: "Emoji of the cluster's icon, such as `:rocket:`." })
  emoji?: string | null;
}

@InputType({ description: 'Fields of a new cluster.' })
export class ClusterCreateInput extends ClusterFieldsInput {
  @Field(() => [ClusterMaintainerInput], { ...optional, description: 'Users and teams that may change the cluster.' })
  maintainers?: ClusterMaintainerInput[] | null;

  @Field(() => String, { description: 'Name of the cluster, unique in the organization.' })
  name!: string;
}

@InputType({ description: 'Cluster to update; absent fields stay unchanged.' })
export class ClusterUpdateInput extends ClusterFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the cluster.' })
  id!: string;

  @Field(() => ID, {
    ...optional,
    description: 'GraphQL ID or UUID of the queue for jobs that name no queue; null for none.',
  })
  defaultQueueId?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the cluster, unique in the organization.' })
  name?: string | null;
}

@InputType({ description: 'Cluster to delete.' })
export class ClusterDeleteInput extends IdInOrganizationInput {}

@InputType({ description: 'Maintainer to add to a cluster.' })
export class ClusterMaintainerCreateInput extends ClusterMaintainerInput {
  @Field(() => String, { ...optional, description: 'Text that the payload returns unchanged.' })
  clientMutationId?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the cluster.' })
  clusterId!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@InputType({ description: 'Maintainer to remove from a cluster.' })
export class ClusterMaintainerDeleteInput extends IdInOrganizationInput {}

/** Fields that creating and updating a queue share. */
@InputType('ClusterQueueFieldsInput')
abstract class ClusterQueueFieldsInput extends InOrganizationInput {
  @Field(() => String, { ...optional, description: 'Description of the queue.' })
  description?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Agent that a retried job prefers: `prefer-warmest` or `prefer-different`.',
  })
  retryAgentAffinity?: string | null;

  @Field(() => Float, {
    ...optional,
    description: 'Price of an hour of an agent, in a currency of your choice; null for none.',
  })
  pricePerAgentHour?: number | null;
}

@InputType({ description: 'Fields of a new queue.' })
export class ClusterQueueCreateInput extends ClusterQueueFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the cluster.' })
  clusterId!: string;

  @Field(() => HostedAgentsQueueSettingsCreateInput, {
    ...optional,
    description: 'Hosted agents: refused, because agents run on machines of your own.',
  })
  hostedAgents?: HostedAgentsQueueSettingsCreateInput | null;

  @Field(() => String, { description: 'Key by which steps and agents name the queue, unique in the cluster.' })
  key!: string;
}

@InputType({ description: 'Queue to update; absent fields stay unchanged.' })
export class ClusterQueueUpdateInput extends ClusterQueueFieldsInput {
  @Field(() => HostedAgentsQueueSettingsUpdateInput, {
    ...optional,
    description: 'Hosted agents: refused, because agents run on machines of your own.',
  })
  hostedAgents?: HostedAgentsQueueSettingsUpdateInput | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the queue.' })
  id!: string;
}

@InputType({ description: 'Queue to delete.' })
export class ClusterQueueDeleteInput extends IdInOrganizationInput {}

@InputType({ description: 'Queue whose dispatch to pause.' })
export class ClusterQueuePauseDispatchInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Reason for the pause, shown to other users.' })
  note?: string | null;
}

@InputType({ description: 'Queue whose dispatch to resume.' })
export class ClusterQueueResumeDispatchInput extends IdInput {}

/** Fields that creating and updating an agent token share. */
@InputType('ClusterAgentTokenFieldsInput')
abstract class ClusterAgentTokenFieldsInput extends InOrganizationInput {
  @Field(() => String, {
    ...optional,
    description:
      'IP addresses and CIDR ranges from which agents may use the token, separated by spaces; absent for any.',
  })
  allowedIpAddresses?: string | null;

  @Field(() => String, { description: 'Description of the token.' })
  description!: string;
}

@InputType({ description: 'Fields of a new agent token.' })
export class ClusterAgentTokenCreateInput extends ClusterAgentTokenFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the cluster.' })
  clusterId!: string;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time from which agents can no longer register with the token; absent for never.',
  })
  expiresAt?: Date | null;
}

@InputType({ description: 'Agent token to update.' })
export class ClusterAgentTokenUpdateInput extends ClusterAgentTokenFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the agent token.' })
  id!: string;
}

@InputType({ description: 'Agent token to revoke.' })
export class ClusterAgentTokenRevokeInput extends IdInOrganizationInput {}
