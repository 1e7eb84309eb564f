import { Field, InputType } from 'type-graphql';
import { HostedAgentInstanceShapeName, HostedAgentMacOSVersion } from '../../enums.js';
import { optional } from '../../server/options.js';

@InputType({ description: 'Settings of hosted agents on Linux; Slipway hosts none.' })
export class HostedAgentsLinuxPlatformSettingsInput {
  @Field(() => String, { ...optional, description: 'Image that the agents run in.' })
  agentImageRef?: string | null;
}

@InputType({ description: 'Settings of hosted agents on macOS; Slipway hosts none.' })
export class HostedAgentsMacosPlatformSettingsInput {
  @Field(() => HostedAgentMacOSVersion, { ...optional, description: 'Version of macOS.' })
  macosVersion?: string | null;

  @Field(() => String, { ...optional, description: 'Version of Xcode to select.' })
  xcodeVersion?: string | null;
}

@InputType({ description: 'Settings of hosted agents by platform; Slipway hosts none.' })
export class HostedAgentsPlatformSettingsInput {
  @Field(() => HostedAgentsLinuxPlatformSettingsInput, { ...optional, description: 'Settings on Linux.' })
  linux?: HostedAgentsLinuxPlatformSettingsInput | null;

  @Field(() => HostedAgentsMacosPlatformSettingsInput, { ...optional, description: 'Settings on macOS.' })
  macos?: HostedAgentsMacosPlatformSettingsInput | null;
}

@InputType({ description: 'Hosted agents for a new queue: always refused, because Slipway hosts no agents.' })
export class HostedAgentsQueueSettingsCreateInput {
  @Field(() => HostedAgentInstanceShapeName, { description: 'Kind of machine.' })
  instanceShape!: string;

  @Field(() => HostedAgentsPlatformSettingsInput, { ...optional, description: 'Settings by platform.' })
  platformSettings?: HostedAgentsPlatformSettingsInput | null;
}

@InputType({ description: 'Hosted agents for a queue: always refused, because Slipway hosts no agents.' })
export class HostedAgentsQueueSettingsUpdateInput {
  @Field(() => String, { ...optional, description: 'Image that agents on Linux run in.' })
  agentImageRef?: string | null;

  @Field(() => HostedAgentInstanceShapeName, { ...optional, description: 'Kind of machine.' })
  instanceShape?: string | null;

  @Field(() => HostedAgentsPlatformSettingsInput, { ...optional, description: 'Settings by platform.' })
  platformSettings?: HostedAgentsPlatformSettingsInput | null;
}
