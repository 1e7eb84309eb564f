import type { Loose } from './read-yaml.js';

/** Something wrong between entries, at the path of a value. */
export interface Inconsistency {
  path: string;
  message: string;
}

interface Item {
  path: string;
  fields: { [key: string]: Loose };
}

/** The maps in a list of the file, whatever else is wrong with it. */
function items(value: Loose | undefined, path: string): Item[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => (isMap(item) ? [{ path: `${path}.${index}`, fields: item }] : []));
}

const isMap = (value: Loose | undefined): value is { [key: string]: Loose } => typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = ({ path, fields }: Item, key: string) => items(fields[key], `${path}.${key}`);

/** Entries that name the same thing twice. */
export function duplicates(value: Loose): Inconsistency[] {
  if (!isMap(value)) return [];
  const found: Inconsistency[] = [];
  const unique = (entries: Item[], what: string, ...keys: string[]) => {
    const seen = new Set<string>();
    for (const { path, fields } of entries) {
      const identity = keys.map((key) => fields[key]);
      if (!identity.every((part) => typeof part === 'string')) continue;
      const text = JSON.stringify(identity);
      if (seen.has(text)) found.push({ path: `${path}.${keys.at(-1)}`, message: `${what} ${identity.join(' / ')} is listed twice` });
      seen.add(text);
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
  found.push(...repeatedSecrets([...organizations.flatMap((o) => [...listIn(o, 'suites'), ...listIn(o, 'clusters').flatMap((c) => listIn(c, 'agentTokens'))]), ...apiTokens]));
  return found;
}

function repeatedSecrets(entries: Item[]): Inconsistency[] {
  const seen = new Set<Loose>();
  return entries.flatMap(({ path, fields }) => {
    const token = fields['token'];
    if (typeof token !== 'string') return [];
    if (seen.has(token)) return [{ path: `${path}.token`, message: 'this token stands elsewhere in the file: every token is good for one thing' }];
    seen.add(token);
    return [];
  });
}

/**
 * References that the file itself does not resolve. The database may: so they are told only beside other problems,
 * when the file is refused before the database is asked. (Pipelines are never in the file.)
 */
export function unresolvedReferences(value: Loose): Inconsistency[] {
  if (!isMap(value)) return [];
  const texts = (entries: Item[], key: string) => new Set(entries.map(({ fields }) => fields[key]));
  const organizations = items(value['organizations'], 'organizations');
  const apiTokens = items(value['apiTokens'], 'apiTokens');
  const emails = texts(items(value['users'], 'users'), 'email');
  const slugs = texts(organizations, 'slug');
  const found: Inconsistency[] = [];
  const check = (name: Loose | undefined, known: Set<Loose | undefined>, what: string, path: string) => {
    if (typeof name === 'string' && !known.has(name)) found.push({ path, message: `there is no ${what} ${name} in this file` });
  };
  for (const organization of organizations) {
    const clusters = listIn(organization, 'clusters');
    check(organization.fields['defaultCluster'], texts(clusters, 'name'), 'cluster', `${organization.path}.defaultCluster`);
    for (const cluster of clusters) check(cluster.fields['defaultQueue'], texts(listIn(cluster, 'queues'), 'key'), 'queue', `${cluster.path}.defaultQueue`);
    const members = [...listIn(organization, 'members'), ...listIn(organization, 'teams').flatMap((team) => listIn(team, 'members'))];
    for (const { fields, path } of members) check(fields['user'], emails, 'user', `${path}.user`);
  }
  for (const { fields, path } of apiTokens) {
    check(fields['user'], emails, 'user', `${path}.user`);
    const named = fields['organizations'];
    if (Array.isArray(named)) named.forEach((slug, index) => check(slug, slugs, 'organization', `${path}.organizations.${index}`));
  }
  return found;
}
