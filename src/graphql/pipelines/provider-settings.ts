import { Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { type ProviderId, providerIds } from '../../domain/integrations/provider.js';
import {
  listSettings,
  type ListedSetting,
  type ProviderSettings,
} from '../../domain/integrations/provider-settings.js';
import type { ShownPipelineRow } from '../../entities/database.js';
import { settingDescriptions } from '../integrations/repository-providers/setting-descriptions.js';
import { storedName } from '../integrations/repository-providers/settings-table.js';
import { optional } from '../server/options.js';
import { Pipeline } from './pipeline.js';

const descriptions = new Map([
  ...Object.entries(settingDescriptions).map(([name, text]) => [storedName(name), text] as const),
  ['filter_enabled', 'Whether `filterCondition` is evaluated.'] as const,
  ['filter_condition', 'Condition expression that a build must meet; null without one.'] as const,
]);

@ObjectType({ description: 'A setting of the source provider of a pipeline, for forms that know no provider.' })
export class PipelineProviderSetting {
  @Field(() => String, { name: 'name', description: 'Name of the setting in `providerSettings`.' })
  key!: string;

  @Field(() => String, { description: 'Description of the setting.' })
  description!: string;

  @Field(() => String, { description: 'Kind of value: `boolean`, `text`, `condition`, `branches` or `choice`.' })
  kind!: string;

  @Field(() => [String], { description: 'Words that a `choice` takes; empty for any other kind.' })
  choices!: readonly string[];

  @Field(() => Boolean, { description: 'Whether a `boolean` is on; false for any other kind.' })
  enabled!: boolean;

  @Field(() => String, { ...optional, description: 'Value that is no `boolean`; null without one.' })
  value!: string | null;

  @Field(() => [String], {
    description: 'Settings without which this one has no effect: names, or `name=value`.',
  })
  needs!: readonly string[];
}

@Resolver(() => Pipeline)
export class PipelineProviderSettingsResolver {
  @FieldResolver(() => [PipelineProviderSetting], {
    description: 'Settings that the source provider of the pipeline takes, with their values.',
  })
  providerSettings(@Root() { providerId, providerSettings }: ShownPipelineRow): PipelineProviderSetting[] {
    const known: ProviderId = providerIds.find((each) => each === providerId) ?? 'git';
    return listSettings(known, providerSettings as ProviderSettings).map(valueOf);
  }
}

const valueOf = ({ value, ...setting }: ListedSetting): PipelineProviderSetting => ({
  ...setting,
  description: descriptions.get(setting.key) ?? '',
  enabled: value === true,
  value: typeof value === 'string' ? value : null,
});
