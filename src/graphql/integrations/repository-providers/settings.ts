import { type ClassType, Field, InterfaceType, ObjectType } from 'type-graphql';
import { CommandWordMatchMode } from '../../enums.js';
import { optional } from '../../server/options.js';
import { settingDescriptions } from './setting-descriptions.js';
import { type SettingTable, settingTables } from './settings-table.js';

// A provider's settings are only reached through its own type.
@InterfaceType({
  description:
    'Settings that decide whether events of a source provider create builds and which commit statuses it gets.',
  resolveType: () => undefined,
})
export abstract class RepositoryProviderSettings {
  @Field(() => String, { ...optional, description: 'Condition expression that a build must meet; null without one.' })
  filterCondition!: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether `filterCondition` is evaluated.' })
  filterEnabled!: boolean | null;
}

const types = {
  flag: Boolean,
  'flag?': Boolean,
  text: String,
  'text?': String,
  'match?': CommandWordMatchMode,
} as const;

/** Declares the settings type of a provider from its table. */
function settingsType(name: string, table: SettingTable): ClassType {
  @ObjectType(`RepositoryProvider${name}Settings`, {
    implements: RepositoryProviderSettings,
    description: 'Settings of a source provider for one pipeline.',
  })
  class Settings {}
  for (const [setting, kind] of Object.entries(table))
    Field(() => types[kind], { nullable: kind.endsWith('?'), description: settingDescriptions[setting] ?? '' })(
      Settings.prototype,
      setting,
    );
  return Settings;
}

export const settingsTypes = Object.fromEntries(
  Object.entries(settingTables).map(([name, table]) => [name, settingsType(name, table)]),
) as Record<keyof typeof settingTables, ClassType>;
