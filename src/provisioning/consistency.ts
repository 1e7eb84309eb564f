import type { Loose } from './read-yaml.js';

/** A conflict between entries, at the path of a value. */
export interface Inconsistency {
  path: string;
  message: string;
}

interface Item {
  path: string;
  fields: { [key: string]: Loose };
}

/** Returns the maps in a list of the file; ignores values of other types, which the plan's schema reports. */
function items(value: Loose | undefined, path: string): Item[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => (isMap(item) ? [{ path: `${path}.${index}`, fields: item }] : []));
}

const isMap = (value: Loose | undefined): value is { [key: string]: Loose } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = ({ path, fields }: Item, key: string) => items(fields[key], `${path}.${key}`);

/** A value of an entry as entries are compared: email addresses are the same in any spelling of their letters' case. */
function comparable(fields: Item['fields'], key: string): Loose | undefined {
  const value = fields[key];
  return (key === 'email' || key === 'user') && typeof value === 'string' ? value.toLowerCase() : value;
}

/** Finds entries with the same identity, and tokens used by more than one entry. */
export function duplicates(value: Loose): Inconsistency[] {
  if (!isMap(value)) return [];
  const inconsistencies: Inconsistency[] = [];
  const unique = (entries: Item[], what: string, ...keys: string[]) => {
    const names = new Set<string>();
    for (const { path, fields } of entries) {
      const identity = keys.map((key) => fields[key]);
      if (!identity.every((part) => typeof part === 'string')) continue;
      const text = JSON.stringify(keys.map((key) => comparable(fields, key)));
      if (names.has(text))
        inconsistencies.push({
          path: `${path}.${keys.at(-1)}`,
          message: `${what} ${identity.join(' / ')} is listed twice`,
        });
      names.add(text);
    }
  };
  unique(items(value['users'], 'users'), 'user', 'email');
  const organizations = items(value['organizations'], 'organizations');
  unique(organizations, 'organization', 'slug');
  for (const organization of organizations) {
    const clusters = listIn(organization, 'clusters');
    const teams = listIn(organization, 'teams');
    unique(listIn(organization, 'members'), 'member', 'user');
    unique(clusters, 'cluster', 'name');
    unique(teams, 'team', 'slug');
    unique(listIn(organization, 'suites'), 'suite', 'slug');
    unique(listIn(organization, 'pipelines'), 'pipeline', 'slug');
    unique(listIn(organization, 'templates'), 'template', 'name');
    unique(listIn(organization, 'notificationServices'), 'notification service', 'description');
    unique(listIn(organization, 'providerConnections'), 'provider connection', 'name');
    unique(
      listIn(organization, 'secrets').map(({ path, fields }) => ({ path, fields: { cluster: '', ...fields } })),
      'secret',
      'cluster',
      'key',
    );
    for (const pipeline of listIn(organization, 'pipelines'))
      unique(listIn(pipeline, 'schedules'), 'schedule', 'label');
    for (const cluster of clusters) {
      unique(listIn(cluster, 'queues'), 'queue', 'key');
      unique(listIn(cluster, 'agentTokens'), 'agent token', 'description');
    }
    for (const team of teams) {
      unique(listIn(team, 'members'), 'team member', 'user');
      unique(listIn(team, 'pipelines'), 'team pipeline', 'slug');
    }
  }
  const apiTokens = items(value['apiTokens'], 'apiTokens');
  unique(apiTokens, 'API token', 'user', 'description');
  inconsistencies.push(
    ...repeatedSecrets([
      ...organizations.flatMap((o) => [
        ...listIn(o, 'suites'),
        ...listIn(o, 'clusters').flatMap((c) => listIn(c, 'agentTokens')),
      ]),
      ...apiTokens,
    ]),
  );
  return inconsistencies;
}

function repeatedSecrets(entries: Item[]): Inconsistency[] {
  const names = new Set<Loose>();
  return entries.flatMap(({ path, fields }) => {
    const token = fields['token'];
    // An unset variable leaves an empty token, which is reported separately.
    if (typeof token !== 'string' || token === '') return [];
    if (names.has(token))
      return [
        {
          path: `${path}.token`,
          message: 'another entry of the file has the same token: each token must be unique',
        },
      ];
    names.add(token);
    return [];
  });
}

/**
 * Finds references that the file itself does not resolve. The database may resolve them, so they are reported only if
 * the file is refused for another reason, before the database is read.
 */
export function unresolvedReferences(value: Loose): Inconsistency[] {
  if (!isMap(value)) return [];
  const texts = (entries: Item[], key: string) => new Set(entries.map(({ fields }) => comparable(fields, key)));
  const organizations = items(value['organizations'], 'organizations');
  const apiTokens = items(value['apiTokens'], 'apiTokens');
  const emails = texts(items(value['users'], 'users'), 'email');
  const slugs = texts(organizations, 'slug');
  const inconsistencies: Inconsistency[] = [];
  const check = (name: Loose | undefined, known: Set<Loose | undefined>, what: string, path: string) => {
    if (typeof name === 'string' && !known.has(what === 'user' ? name.toLowerCase() : name))
      inconsistencies.push({ path, message: `there is no ${what} ${name} in this file` });
  };
  for (const organization of organizations) {
    const clusters = listIn(organization, 'clusters');
    check(
      organization.fields['defaultCluster'],
      texts(clusters, 'name'),
      'cluster',
      `${organization.path}.defaultCluster`,
    );
    for (const cluster of clusters)
      check(
        cluster.fields['defaultQueue'],
        texts(listIn(cluster, 'queues'), 'key'),
        'queue',
        `${cluster.path}.defaultQueue`,
      );
    const members = [
      ...listIn(organization, 'members'),
      ...listIn(organization, 'teams').flatMap((team) => listIn(team, 'members')),
    ];
    for (const { fields, path } of members) check(fields['user'], emails, 'user', `${path}.user`);
  }
  for (const { fields, path } of apiTokens) {
    check(fields['user'], emails, 'user', `${path}.user`);
    const named = fields['organizations'];
    if (Array.isArray(named))
      named.forEach((slug, index) => check(slug, slugs, 'organization', `${path}.organizations.${index}`));
  }
  return inconsistencies;
}

/** Finds values of secrets that are written into the file and not taken from the environment. */
export function literalSecrets(value: Loose, references: ReadonlySet<string>): Inconsistency[] {
  if (!isMap(value)) return [];
  return items(value['organizations'], 'organizations')
    .flatMap((organization) => listIn(organization, 'secrets'))
    .filter(({ fields, path }) => typeof fields['value'] === 'string' && !references.has(`${path}.value`))
    .map(({ path }) => ({
      path: `${path}.value`,
      message: 'value must be one environment variable, such as ${DEPLOY_KEY}: secrets are not written into the file',
    }));
}
