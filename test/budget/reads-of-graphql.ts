import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { encodeNodeId } from '../../src/domain/node-id.js';
import type { Known } from './fill/filler.js';

export const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

/** The kind of each type that is read by its id, and the name of the thing that the fillers have made of it. */
export const nodes: Readonly<Record<string, [kind: Parameters<typeof encodeNodeId>[0], name: string]>> = {
  Organization: ['Organization', 'organization_id'],
  User: ['User', 'user'],
  Pipeline: ['Pipeline', 'pipeline'],
  PipelineSchedule: ['PipelineSchedule', 'schedule'],
  PipelineTemplate: ['PipelineTemplate', 'template'],
  OrganizationInvitation: ['OrganizationInvitation', 'invitation'],
  Rule: ['Rule', 'rule'],
  AuditEvent: ['AuditEvent', 'event'],
  BuildStepUpload: ['BuildStepUpload', 'upload'],
  Secret: ['ClusterSecret', 'secret'],
  Build: ['Build', 'build'],
  JobTypeCommand: ['Job', 'job'],
  Agent: ['Agent', 'agent'],
  AgentToken: ['AgentToken', 'token'],
  Annotation: ['Annotation', 'annotation'],
  Artifact: ['Artifact', 'artifact'],
  Cluster: ['Cluster', 'cluster'],
  ClusterQueue: ['ClusterQueue', 'queue'],
  Team: ['Team', 'team'],
  Suite: ['Suite', 'suite_id'],
  SuiteRun: ['Run', 'run'],
  SuiteTest: ['SuiteTest', 'test'],
  TestWorkflow: ['TestWorkflow', 'workflow'],
  CulpritSearch: ['CulpritSearch', 'search'],
  NotificationServiceWebhook: ['NotificationServiceWebhook', 'service'],
};

const mostAliases = 20;

/** Sizes of pages that are tried, from the largest on, until the operation is within its points. */
export const pageSizes = [500, 100, 25] as const;

const optional = (field: GraphQLField<unknown, unknown>) => !field.args.some(isRequiredArgument);
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields()).filter(optional);

/** Fields of a type that hold values: its scalars, and those of objects right below it. */
function leavesOf(type: GraphQLObjectType, deeper = true): string {
  const parts = fieldsOf(type).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    if (deeper && isAbstractType(named)) return [`${field.name} { ${leavesOfEach(named)} }`];
    if (!deeper || !isObjectType(named) || isConnection(named)) return [];
    const inner = leavesOf(named, false);
    return inner === '' ? [] : [`${field.name} { ${inner} }`];
  });
  return parts.join(' ');
}

const isConnection = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.name.endsWith('Connection');

/**
 * The nodes of a connection with all their values; of an interface or union those of each of its types, under names of
 * their own.
 */
function nodeSelection(connection: GraphQLObjectType): string {
  const edge = getNamedType(connection.getFields()['edges']?.type ?? connection);
  const node = isObjectType(edge) ? getNamedType(edge.getFields()['node']?.type ?? edge) : null;
  if (isObjectType(node)) return `__typename ${leavesOf(node, false)}`;
  if (!isAbstractType(node)) return '__typename';
  return leavesOfEach(node);
}

/**
 * The values of each type that an interface or union may be, under names of their own: fields of one name may differ in
 * type.
 */
function leavesOfEach(type: GraphQLAbstractType): string {
  const fragments = schema.getPossibleTypes(type).map((each) => {
    const names = fieldsOf(each).filter((field) => isLeafType(getNamedType(field.type)));
    return `... on ${each.name} { __typename ${names.map(({ name }) => `${each.name}_${name}: ${name}`).join(' ')} }`;
  });
  return fragments.join(' ');
}

/** One operation of which a field of the schema is the subject. */
export interface GraphqlRead {
  /** `Type.field`, or the type with all its values. */
  subject: string;
  /** The operation with pages of this size; null where no page size matters and another was tried. */
  document(first: number): string;
  name: string;
}

/** An object by its id; the viewer, who has one that nobody knows, by the field for it. */
const inNode = (type: string, selection: string) =>
  type === 'Viewer'
    ? `{ viewer { ${selection} } }`
    : `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`;

/**
 * For each type that is read by its id an operation of its values, one of each of its lists, and one of each text many
 * times.
 */
export const graphqlReads: readonly GraphqlRead[] = [...Object.keys(nodes), 'Viewer'].flatMap((name) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no type ${name}`);
  const values = { subject: name, name, document: () => inNode(name, `__typename ${leavesOf(type)}`) };
  const lists = fieldsOf(type).flatMap((field) => {
    const named = getNamedType(field.type);
    if (!isConnection(named)) return [];
    const selection = nodeSelection(named);
    const document = (first: number) =>
      inNode(name, `${field.name}(first: ${first}) { edges { node { ${selection} } } }`);
    return [{ subject: `${name}.${field.name}`, name, document }];
  });
  const texts = fieldsOf(type).filter((field) => isLeafType(getNamedType(field.type)));
  const aliases = texts.map((field) => {
    const many = Array.from({ length: mostAliases }, (_, index) => `a${index}: ${field.name}`).join(' ');
    return { subject: `${name}.${field.name}`, name, document: () => inNode(name, many) };
  });
  return [values, ...lists, ...aliases];
});

/** Operations about much that one build has: what a person's program would ask of it, too often. */
export function heavyReads({ build = '', parallel = '' }: Known): string[] {
  const of = (selection: string) => `{ build(uuid: "${build}") { ${selection} } }`;
  const many = (fields: string) =>
    `{ build(slug: "acme/${parallel}/1") { jobs(first: 500) { edges { node { ... on JobTypeCommand { ${fields} } } } } } }`;
  const aliases = (field: string) => Array.from({ length: mostAliases }, (_, index) => `a${index}: ${field}`).join(' ');
  return [
    of('metaData(first: 10000) { edges { node { key value } } }'),
    of('annotations(first: 500) { edges { node { body { text html } } } }'),
    of('jobs(first: 500) { edges { node { ... on JobTypeCommand { log { content } } } } }'),
    many('env'),
    many(aliases('command')),
    many('label command url log { content }'),
    `{ organization(slug: "acme") { pipelines(first: 500) { edges { node { steps { yaml } } } } } }`,
  ];
}

/** The node id of a type's object. */
export const idOf = (known: Known, type: string): string => {
  const [kind, name] = nodes[type] ?? ['Build', 'build'];
  return encodeNodeId(kind, known[name] ?? '');
};

const ofBuild = 'Build.events and JobTypeCommand.events';
const jobEvents = [
  'Assigned',
  'BuildStepUploadCreated',
  'Canceled',
  'Changed',
  'Finished',
  'Generic',
  'PromisedExitStatus',
];
const otherJobEvents = [
  'Reprioritized',
  'Retried',
  'RetryFailed',
  'StackError',
  'StackFinished',
  'StackNotification',
  'TimedOut',
];

const otherServices = [
  'AwsEventBridge',
  'DatadogPipelineVisibility',
  'EventLogApi',
  'OpenTelemetryTracing',
  'Slack',
  'SlackWorkspace',
].map((name) => `NotificationService${name}`);

/** Types with a node id that are read in the list of another type, and where. */
export const nodesElsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...jobEvents, ...otherJobEvents].map((name) => [`JobEvent${name}`, ofBuild])),
  ClusterMaintainer: 'Cluster.maintainers',
  ClusterToken: 'Cluster.agentTokens',
  Email: 'Viewer.emails',
  JobTypeBlock: 'Build.jobs',
  JobTypeTrigger: 'Build.jobs',
  JobTypeWait: 'Build.jobs',
  ...Object.fromEntries(otherServices.map((name) => [name, 'Organization.notificationServices'])),
  OrganizationBanner: 'Organization.banners',
  OrganizationMember: 'Organization.members',
  OrganizationRepositoryProviderGitHub: 'Organization',
  OrganizationRepositoryProviderGitHubEnterpriseServer: 'Organization',
  PipelineMetric: 'Pipeline.metrics',
  TeamMember: 'Team.members',
  TeamPipeline: 'Team.pipelines',
  TeamSuite: 'Team.suites',
  Viewer: 'Viewer',
};

const ofWebhooks = 'the list of NotificationServiceWebhook shows the same rows';
const ofMember = 'the lists of Team, Organization and Pipeline show the same rows';
const ofStep = 'keys of the other steps of the build, which Build.jobs shows';

/** Lists that are read at another place of the schema, and where. */
export const connectionsElsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries(otherServices.map((name) => [`${name}.deliveries`, ofWebhooks])),
  'OrganizationMember.pipelines': ofMember,
  'OrganizationMember.teams': ofMember,
  'Query.artifacts': 'the list of Build.artifacts',
  'TestWorkflowEvent.deliveries': 'the list of NotificationServiceWebhook.deliveries, with fewer rows',
  'StepCommand.dependencies': ofStep,
  'StepInput.dependencies': ofStep,
  'StepTrigger.dependencies': ofStep,
  'StepWait.dependencies': ofStep,
};
