import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import type { Data } from '../support.js';
import { type Browser, ConsoleWorld } from '../../support/browser.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { type Crowded, nineteenCopies, twentyOfEverything } from '../../support/twenty-of-everything.js';

type Field = GraphQLField<unknown, unknown>;

const estimate = 'reads up to 10,000 jobs, for one queue after another, and costs points each time';
const path = 'reads all jobs and steps of a build, one after another, and costs points each time';
const sizes = 'are two whole lists of up to 500 rows each, and a statement returns a thousand at most';
/** Fields that may take statements of their own for each parent, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'Organization.pipelineProblems': 'reads YAML that the caller sends; it costs points each time',
  'Pipeline.webhookPreview': 'decides on a payload that the caller sends; it costs points each time',
  'Organization.storage': sizes,
  'Build.criticalPath': path,
  'BuildCriticalPath.duration': path,
  'BuildCriticalPath.running': path,
  'BuildCriticalPath.waitingForAgent': path,
  'BuildCriticalPath.waitingForConcurrency': path,
  'BuildCriticalPath.waitingForPerson': path,
  'BuildCriticalPath.other': path,
  'BuildCriticalPath.path': path,
  'Build.commitStatuses': 'is a whole list of up to 1,000 rows, and a statement returns a thousand at most',
  'Build.commitStatusPreview': path,
  'OrganizationStorage.countedAt': sizes,
  'OrganizationStorage.disk': sizes,
  'StorageDisk.freeBytes': sizes,
  'StorageDisk.reserveBytes': sizes,
  'StorageDisk.state': sizes,
  'OrganizationStorage.pipelines': sizes,
  'OrganizationStorage.suites': sizes,
  'OrganizationStorage.totals': sizes,
  'Organization.repositoryProviders': 'is a whole list of up to 500 rows, and a statement returns a thousand at most',
  'JobLog.content': 'comes from the storage, one log after another, and costs points each time',
  'JobLog.headerTimes': 'comes from the storage, one log after another, and costs points each time',
  'JobLog.index': 'comes from the storage, one log after another, and costs points each time',
  'Suite.testPlan': 'is a large row, one suite at a time',
  'Suite.testFileDurations': 'computes from thousands of rows, one suite after another, and costs points each time',
  'Suite.testFilesToSplit': 'computes from thousands of rows, one suite after another, and costs points each time',
  'Organization.insights':
    'computes from thousands of rows, for one organization at a time, and costs points each time',
  'ClusterQueue.agentsNeeded': estimate,
  'AgentsNeeded.agents': estimate,
  'AgentsNeeded.wait': estimate,
  'AgentsNeeded.waitP95': estimate,
  'AgentsNeeded.busyShare': estimate,
  'AgentsNeeded.jobs': estimate,
  'AgentsNeeded.from': estimate,
  'AgentsNeeded.to': estimate,
  'AgentsNeeded.busiestAgents': estimate,
  'AgentsNeeded.pastWaitP95': estimate,
  'AgentsNeeded.pastShareInTime': estimate,
  'Organization.logSearch': 'looks through logs in the storage, one search after another, and costs points each time',
  'JobTypeCommand.failure': 'reads logs from the storage, one after another, and costs points each time',
  'JobLog.matches': 'comes from the storage, one log after another, and costs points each time',
};

/** Arguments that fields need, by their names. */
const needed: Readonly<Record<string, string>> = {
  id: '"00000000-0000-7000-8000-000000000000"',
  uuid: '"00000000-0000-7000-8000-000000000000"',
  name: '"a"',
  yaml: '"steps: []"',
  event: '"push"',
  payload: '"{}"',
  text: '"a"',
  cronline: '"@daily"',
  identifier: '"a"',
  paths: '["a"]',
  user: '"00000000-0000-7000-8000-000000000000"',
};

/** Where the items of a list are of several types: the argument by which only those of one are listed. */
const narrowed: Readonly<Record<string, string>> = {
  JobTypeBlock: 'type: [BLOCK]',
  JobTypeTrigger: 'type: [TRIGGER]',
  JobTypeWait: 'type: [WAIT]',
  JobTypeCommand: 'type: [COMMAND]',
};

/** The list to take for a type, where the nearest one has few of it. */
const preferred: Readonly<Record<string, string>> = {
  Annotation: 'JobTypeCommand.annotations',
  TeamMember: 'Team.members',
  User: 'Team.members.user',
  Avatar: 'Team.members.user.avatar',
};

const service = 'has the fields of NotificationServiceWebhook, of which there are twenty, and settings of its own';
/** Types of which a list has fewer than twenty, each with the reason: their fields are asked for all the same. */
const few: Readonly<Record<string, string>> = {
  PipelineMetric: 'three of each pipeline',
  OrganizationBanner: 'one of each organization',
  Email: 'one of each person',
  OrganizationInvitationTeamAssignment: 'part of its invitation',
  AuditAgentAPIContext: 'what happened to everything here came through the API',
  AuditWebContext: 'what happened to everything here came through the API',
  UnregisteredUser: 'part of its build',
  PullRequest: 'part of its build',
  BuildExplanation: 'the builds here need none',
  NotificationServiceSlack: service,
  NotificationServiceSlackWorkspace: service,
  NotificationServiceAwsEventBridge: service,
  NotificationServiceDatadogPipelineVisibility: service,
  NotificationServiceOpenTelemetryTracing: service,
  NotificationServiceEventLogApi: service,
  SuiteTestFlakiness: 'no test here is flaky',
  BuildPin: 'part of its build',
  PipelineRetention: 'part of its pipeline',
  OrganizationRetention: 'part of its organization',
  RetentionRule: 'part of a policy',
  RetentionAge: 'part of a policy',
  JobConcurrency: 'part of its job',
  JobFailure: 'no job here has failed',
  JobFailureBuild: 'part of a failure',
  JobFailureChanges: 'part of a failure',
  JobFailureTextChange: 'part of a failure',
  JobFailureNumberChange: 'part of a failure',
  JobRetryRuleAutomatic: 'part of its job',
  HostedAgentQueueSettings: 'always null',
  HostedAgentInstanceShape: 'always null',
  HostedAgentPlatformSettings: 'always null',
  HostedAgentLinuxSettings: 'always null',
  HostedAgentMacOSSettingsType: 'always null',
};

const isConnection = ({ type }: Field) => getNamedType(type).name.endsWith('Connection');

describe('lists inside lists', () => {
  let on: ConsoleWorld;
  /** Some lists are for people who are signed in only. */
  let browser: Browser;
  let schema: GraphQLSchema;
  let crowded: Crowded;
  beforeAll(async () => {
    schema = await buildSchema();
    on = await ConsoleWorld.open({ plan: 'enterprise' });
    Object.assign(on.world.services.limits, { graphqlCost: 0, requestStatements: 100_000 });
    crowded = await twentyOfEverything(on.world);
    await on.setPassword(on.world.admin.id, 'p');
    browser = on.browser();
    await browser.signIn(on.world.admin.email, 'p');
    await nineteenCopies(on.world, 'sessions');
  });
  afterAll(() => on.close());

  test('take as many statements for twenty parents as for two, every list and every field', async () => {
    const lists = placesOf(schema, crowded);
    const table: string[] = [];
    const growing: string[] = [];
    const untested: string[] = [];
    for (const [name, place] of lists) {
      const type = schema.getType(name) as GraphQLObjectType;
      const fields = Object.values(type.getFields()).filter((field) => !(`${name}.${field.name}` in allowed));
      const connections = fields.filter(isConnection);
      const others = fields.filter((field) => !isConnection(field));
      const groups = [...connections.map((field) => [field]), ...(others.length > 0 ? [others] : [])];
      for (const group of groups) {
        const asked = group[0] && isConnection(group[0]) ? `${name}.${group[0].name}` : `${name}: other fields`;
        const two = await statementsOf(place, group, 2);
        const twenty = await statementsOf(place, group, 20);
        table.push(`| ${asked} | ${two.parents} | ${two.sent} | ${twenty.parents} | ${twenty.sent} |`);
        if ((two.parents !== 2 || twenty.parents < 20) && !(name in few))
          untested.push(`${asked} ${place.list}: ${two.parents} ${twenty.parents}`);
        if (twenty.sent <= two.sent) continue;
        const guilty = group.length === 1 ? [] : await growingAmong(place, group);
        growing.push(`${asked} ${guilty.join(' ')}: ${two.sent} ${twenty.sent}`);
      }
    }
    if (process.env['STATEMENT_TABLE']) process.stdout.write(`${table.join('\n')}\n`);
    expect(growing).toEqual([]);
    expect(untested).toEqual([]);
    expect(table.length).toBeGreaterThan(100);
    // Hundreds of pages: ten seconds on an idle machine, more than a test has where it is busy.
  }, 90_000);

  /**
   * Statements that a page of this many parents takes with these fields of each, and the number of parents that it had.
   */
  async function statementsOf(place: Place, fields: readonly Field[], size: number) {
    const query = place.query(size, fields.map(selectionOf).join(' '));
    let answer: Data;
    const { sent } = await StatementGauge.during(on.world.services, async () => {
      answer = (await browser.query(query)).body;
    });
    const problems = (answer.errors ?? []).filter(({ extensions }: Data) => extensions.code !== 'NOT_FOUND');
    expect({ query, problems }).toEqual({ query, problems: [] });
    return { sent, parents: place.parents(answer.data) };
  }

  async function growingAmong(place: Place, fields: readonly Field[]): Promise<string[]> {
    const names: string[] = [];
    for (const field of fields) {
      const [two, twenty] = [await statementsOf(place, [field], 2), await statementsOf(place, [field], 20)];
      if (twenty.sent > two.sent) names.push(field.name);
    }
    return names;
  }

  function selectionOf(field: Field): string {
    const args = field.args.filter(isRequiredArgument).map(({ name }) => {
      if (!needed[name]) throw new Error(`${field.name}(${name}) needs a value here`);
      return `${name}: ${needed[name]}`;
    });
    if (field.args.some(({ name }) => name === 'first')) args.push('first: 2');
    const called = `${field.name}_: ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
    const type = getNamedType(field.type);
    if (isLeafType(type)) return called;
    if (isConnection(field) && isObjectType(type))
      return `${called} { ${'count' in type.getFields() ? 'count ' : ''}edges { cursor node { __typename } } pageInfo { hasNextPage } }`;
    return `${called} { __typename }`;
  }
});

/** Where objects of a type are found in a list. */
interface Place {
  /** The list, as `Type.field`. */
  list: string;
  query(size: number, selection: string): string;
  /** Objects of the type in the data of the query. */
  parents(data: Data): number;
}

/** The steps from an item of a list to an object. */
interface Step {
  type: GraphQLObjectType;
  list: string;
  steps: { on: string; field: string }[];
}

/**
 * A place for every type that is found in a list of one of the crowded objects: as its item, or behind fields of its
 * items. Of several places it is the one with the fewest steps.
 */
function placesOf(schema: GraphQLSchema, crowded: Crowded): Map<string, Place> {
  const places = new Map<string, Place>();
  let steps: Step[] = [];
  for (const owner of [...Object.keys(crowded).filter((name) => !name.startsWith('JobEvent')), 'Viewer']) {
    const type = schema.getType(owner) as GraphQLObjectType;
    for (const field of Object.values(type.getFields()).filter(isConnection))
      for (const item of itemsOf(schema, field)) steps.push({ type: item, list: `${owner}.${field.name}`, steps: [] });
  }
  while (steps.length > 0) {
    const further: Step[] = [];
    for (const step of steps) {
      const { type } = step;
      if (preferred[type.name] && pathOf(step) !== preferred[type.name]) continue;
      if (places.has(type.name) || type.name.endsWith('Connection') || type.name.endsWith('Edge')) continue;
      places.set(type.name, placeOf(step, crowded));
      for (const field of Object.values(type.getFields())) {
        if (isConnection(field) || field.args.some(isRequiredArgument) || hasList(field)) continue;
        const to = getNamedType(field.type);
        const targets = isObjectType(to)
          ? [to]
          : isAbstractType(to) && schema.getPossibleTypes(to).length < 5
            ? schema.getPossibleTypes(to)
            : [];
        for (const target of targets)
          further.push({ ...step, type: target, steps: [...step.steps, { on: type.name, field: field.name }] });
      }
    }
    steps = further;
  }
  return places;
}

const pathOf = ({ list, steps }: Step) => [list, ...steps.map(({ field }) => field)].join('.');

const hasList = ({ type }: Field) => isListType(isNonNullType(type) ? type.ofType : type);

function itemsOf(schema: GraphQLSchema, connection: Field): readonly GraphQLObjectType[] {
  const nodes = (getNamedType(connection.type) as GraphQLObjectType).getFields()['nodes'];
  const item = nodes && getNamedType(nodes.type);
  if (isObjectType(item)) return [item];
  return isAbstractType(item) ? schema.getPossibleTypes(item) : [];
}

function placeOf({ type, list, steps }: Step, crowded: Crowded): Place {
  const [owner = '', field = ''] = list.split('.');
  const last = steps[0]?.on ?? type.name;
  const inner = (selection: string) =>
    steps.reduceRight(
      (text, step) => `... on ${step.on} { ${step.field} { ${text} } }`,
      `__typename ... on ${type.name} { ${selection} }`,
    );
  return {
    list: pathOf({ type, list, steps }),
    query: (size, selection) => {
      const more = narrowed[last] ? `, ${narrowed[last]}` : '';
      const page = `${field}(first: ${size}${more}) { nodes { ${inner(selection)} } }`;
      return owner === 'Viewer'
        ? `{ owner: viewer { ${page} } }`
        : `{ owner: node(id: "${crowded[last] && last.startsWith('JobEvent') ? crowded[last] : crowded[owner]}") { ... on ${owner} { ${page} } } }`;
    },
    parents: (data) => {
      const nodes: Data[] = data.owner[field].nodes;
      const found = steps.reduce<Data[]>((rows, step) => rows.map((row) => row?.[step.field]), nodes);
      return found.filter((row) => row?.__typename === type.name).length;
    },
  };
}
