import { type ClassType, Field, InterfaceType, ObjectType } from 'type-graphql';
import { CommandWordMatchMode } from '../enums.js';
import { optional } from '../options.js';
import { type SettingTable, settingTables } from './settings-table.js';

// A provider's settings are only reached through its own type.
@InterfaceType({ description: 'When a source provider starts builds, and what it is told of them.', resolveType: () => undefined })
export abstract class RepositoryProviderSettings {
  @Field(() => String, { ...optional, description: 'The condition that builds must meet.' })
  filterCondition!: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether that condition is asked.' })
  filterEnabled!: boolean | null;
}

const types = { 'flag': Boolean, 'flag?': Boolean, 'text': String, 'text?': String, 'match?': CommandWordMatchMode } as const;

/** Declares a settings type out of its table: forty fields that differ in name only are data, not code. */
function settingsType(name: string, table: SettingTable): ClassType {
  @ObjectType(`RepositoryProvider${name}Settings`, { implements: RepositoryProviderSettings, description: 'Settings of a source provider.' })
  class Settings {}
  for (const [setting, kind] of Object.entries(table)) Field(() => types[kind], kind.endsWith('?') ? optional : {})(Settings.prototype, setting);
  return Settings;
}

export const settingsTypes = Object.fromEntries(Object.entries(settingTables).map(([name, table]) => [name, settingsType(name, table)])) as Record<keyof typeof settingTables, ClassType>;
