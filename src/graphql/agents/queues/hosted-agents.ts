import { Field, FieldResolver, Int, ObjectType, Resolver } from 'type-graphql';
import {
  HostedAgentArchitecture,
  HostedAgentInstanceShapeName,
  HostedAgentMachineType,
  HostedAgentMacOSVersion,
  HostedAgentSize,
} from '../../enums.js';
import { optional } from '../../server/options.js';
import { ClusterQueue } from './cluster-queue.js';

// Machines of the hosted service: clients select these types, and a self-hosted control plane has no such machines.

@ObjectType({ description: 'Kind of machine of hosted agents; Slipway hosts none.' })
export class HostedAgentInstanceShape {
  @Field(() => HostedAgentArchitecture, { ...optional, description: 'Architecture of the processor.' })
  architecture!: string | null;

  @Field(() => HostedAgentMachineType, { ...optional, description: 'Operating system.' })
  machineType!: string | null;

  @Field(() => Int, { ...optional, description: 'Memory in GB.' })
  memory!: number | null;

  @Field(() => HostedAgentInstanceShapeName, { ...optional, description: 'Name of the kind of machine.' })
  name!: string | null;

  @Field(() => HostedAgentSize, { ...optional, description: 'Size of the machine.' })
  size!: string | null;

  @Field(() => Int, { ...optional, description: 'Number of processor cores.' })
  vcpu!: number | null;
}

@ObjectType({ description: 'Settings of hosted agents on Linux; Slipway hosts none.' })
export class HostedAgentLinuxSettings {
  @Field(() => String, { ...optional, description: 'Image that the agents run in.' })
  agentImageRef!: string | null;
}

@ObjectType('HostedAgentMacOSSettingsType', { description: 'Settings of hosted agents on macOS; Slipway hosts none.' })
export class HostedAgentMacOSSettings {
  @Field(() => HostedAgentMacOSVersion, { ...optional, description: 'Version of macOS.' })
  macosVersion!: string | null;

  @Field(() => String, { ...optional, description: 'Version of Xcode that is selected.' })
  xcodeVersion!: string | null;
}

@ObjectType({ description: 'Settings of hosted agents by platform; Slipway hosts none.' })
export class HostedAgentPlatformSettings {
  @Field(() => HostedAgentLinuxSettings, { ...optional, description: 'Settings on Linux.' })
  linux!: HostedAgentLinuxSettings | null;

  @Field(() => HostedAgentMacOSSettings, { ...optional, description: 'Settings on macOS.' })
  macos!: HostedAgentMacOSSettings | null;
}

@ObjectType({ description: 'Hosted agents of a queue; Slipway hosts none.' })
export class HostedAgentQueueSettings {
  @Field(() => HostedAgentInstanceShape, { ...optional, description: 'Kind of machine.' })
  instanceShape!: HostedAgentInstanceShape | null;

  @Field(() => HostedAgentPlatformSettings, { ...optional, description: 'Settings by platform.' })
  platformSettings!: HostedAgentPlatformSettings | null;
}

@Resolver(() => ClusterQueue)
export class HostedAgentsOfQueueResolver {
  @FieldResolver(() => HostedAgentQueueSettings, {
    ...optional,
    description: 'Settings of hosted agents: always null, because Slipway hosts no agents.',
  })
  hostedAgents(): HostedAgentQueueSettings | null {
    return null;
  }
}
