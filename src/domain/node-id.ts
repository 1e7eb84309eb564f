/** Kinds of objects with a node id, spelled as in the id. */
export const nodeKinds = [
  'Organization',
  'OrganizationMember',
  'OrganizationInvitation',
  'OrganizationBanner',
  'Pipeline',
  'PipelineTemplate',
  'PipelineSchedule',
  'PipelineMetric',
  'Build',
  'Job',
  'JobEvent',
  'BuildStepUpload',
  'CulpritSearch',
  'Agent',
  'AgentToken',
  'Annotation',
  'Artifact',
  'User',
  'Email',
  'Viewer',
  'Team',
  'TeamMember',
  'TeamPipeline',
  'TeamSuite',
  'Cluster',
  'ClusterMaintainer',
  'ClusterQueue',
  'ClusterToken',
  'ClusterSecret',
  'Suite',
  'Run',
  'SuiteTest',
  'TestWorkflow',
  'Rule',
  'AuditEvent',
  'APIAccessToken',
  'Session',
  'NotificationServiceWebhook',
  'NotificationServiceSlack',
  'NotificationServiceSlackWorkspace',
  'NotificationServiceAwsEventBridge',
  'NotificationServiceDatadogPipelineVisibility',
  'NotificationServiceOpenTelemetryTracing',
  'NotificationServiceEventLogApi',
  'OrganizationRepositoryProviderGitHub',
  'OrganizationRepositoryProviderGitHubEnterpriseServer',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Decoded node id. */
export interface NodeId {
  kind: NodeKind;
  /** Lower case. */
  uuid: string;
}

/** All jobs have node ids of the kind `Job`; clients that build ids themselves use the type's name. */
const jobKinds: ReadonlySet<string> = new Set(['JobTypeCommand', 'JobTypeBlock', 'JobTypeTrigger', 'JobTypeWait']);
const kinds: ReadonlySet<string> = new Set(nodeKinds);
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const content = /^([A-Za-z]+)---([0-9A-Fa-f-]{36})$/;

function isNodeKind(text: string): text is NodeKind {
  return kinds.has(text);
}

/** True for a uuid of any version, hyphenated, either case. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** Returns the node id of an object: padded standard base64 of `<Kind>---<uuid>`; also the `graphql_id` of REST. */
export function encodeNodeId(kind: NodeKind, uuid: string): string {
  return btoa(`${kind}---${uuid.toLowerCase()}`);
}

/** Reads a node id; null for an invalid one. Accepts missing padding, but no other alphabet. */
export function decodeNodeId(text: string): NodeId | null {
  // The longest kind makes an id of 124 characters, so longer text need not be decoded.
  if (text.length > 128 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    return null;
  const [, kind = '', uuid = ''] = content.exec(atob(text.replace(/=+$/, ''))) ?? [];
  if (!isUuid(uuid)) return null;
  const known = jobKinds.has(kind) ? 'Job' : kind;
  return isNodeKind(known) ? { kind: known, uuid: uuid.toLowerCase() } : null;
}

/** The uuid behind an argument that takes a bare uuid or a node id of one of the kinds; null for anything else. */
export function idFromEither(text: string, accepted: readonly NodeKind[]): string | null {
  if (isUuid(text)) return text.toLowerCase();
  const node = decodeNodeId(text);
  return node !== null && accepted.includes(node.kind) ? node.uuid : null;
}
