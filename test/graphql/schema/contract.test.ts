import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  buildSchema as parseSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  specifiedRules,
  validate,
  visit,
  TypeInfo,
  visitWithTypeInfo,
  getNamedType,
  GraphQLError,
} from 'graphql';
import { type Operation, outOfScope, wrongAsWritten } from './real-operations.js';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { describeWithVectors, readVectors, vectorsDir } from '../../support/vectors.js';

/** Fields and arguments that we add to types of the public schema; everything else in those types must be the same. */
const ours = new Set([
  'JobTypeCommand.log',
  'JobTypeCommand.failure',
  'Build.explanation',
  'Build.criticalPath',
  'JobInterface.explanation',
  'JobTypeBlock.explanation',
  'JobTypeCommand.explanation',
  'JobTypeTrigger.explanation',
  'JobTypeWait.explanation',
  'Organization.builds',
  'Organization.insights',
  'ClusterQueue.agentsNeeded',
  'ClusterQueue.pricePerAgentHour',
  'ClusterQueueCreateInput.pricePerAgentHour',
  'ClusterQueueUpdateInput.pricePerAgentHour',
  'Organization.logSearch',
  'Suite.measuredTests',
  'Suite.testOwnership',
  'SuiteTest.owners',
  'SuiteTest.ownerTeams',
  'SuiteTest.stateUntil',
  'SuiteTestUpdateInput.until',
  'Suite.testPlan',
  'Suite.testFileDurations',
  'Suite.testFilesToSplit',
  'Mutation.suiteTestPlanCreate',
  'Mutation.suiteTestPlanReport',
  'Mutation.culpritSearchCancel',
  'Mutation.culpritSearchCreate',
  'Mutation.suiteWorkflowCreate',
  'Mutation.suiteWorkflowDelete',
  'Mutation.suiteWorkflowRedeliver',
  'Mutation.suiteWorkflowUpdate',
  'Suite.workflow',
  'Suite.workflows',
  'Organization.pipelineProblems',
  'Organization.scheduleTimes',
  'Organization.member',
  'Organization.rateLimits',
  'Mutation.jobLogDelete',
  'Mutation.organizationTeamsEnable',
  'Mutation.jobTypeCommandReprioritize',
  'Query.artifacts',
  'Pipeline.builds(creator)',
  'Pipeline.builds(finishedFrom)',
  'PipelineCreateInput.env',
  'PipelineCreateInput.providerSettings',
  'PipelineCreateInput.slug',
  'PipelineUpdateInput.env',
  'PipelineUpdateInput.providerSettings',
  'PipelineUpdateInput.slug',
  'BuildCreateInput.cleanCheckout',
  'BuildCreateInput.ignorePipelineBranchFilters',
  'BuildCreateInput.pullRequestBaseBranch',
  'BuildCreateInput.pullRequestId',
  'BuildCreateInput.pullRequestLabels',
  'BuildCreateInput.pullRequestRepository',
  'AuditEvent.operation',
  'Annotation.job',
  'Artifact.reportURL',
  'Query.artifactArchive',
  'Organization.emojis',
  'Query.meta',
  'Build.culpritSearch',
  'Build.culpritSearches',
  'Pipeline.culpritSearches',
  'Build.events',
  'Build.stepUploads',
  'Build.notifications',
  'Build.tests',
  'BuildStepUpload.createdAt',
  'BuildStepUpload.createdJobsCount',
  'BuildStepUpload.definitionBytes',
  'BuildStepUpload.job',
  'BuildStepUpload.message',
  'BuildStepUpload.replacesExistingSteps',
  'BuildStepUpload.state',
  'BuildCancelInput.reason',
  'JobTypeBlockUnblockInput.unblockerId',
  'Query.suite',
  'Suite.run',
  'Suite.runs',
  'Suite.test',
  'Suite.tests',
  'Viewer.apiAccessTokens',
  'Viewer.buildMail',
  'Viewer.session',
  'Viewer.sessions',
  'Mutation.apiAccessTokenCreate',
  'Mutation.apiAccessTokenRevoke',
  'Mutation.sessionRevoke',
  'Mutation.sessionRevokeAll',
  'Mutation.userBuildMailUpdate',
  'Mutation.userPasswordChange',
  'Mutation.suiteCreate',
  'Mutation.suiteUpdate',
  'Mutation.suiteDelete',
  'Mutation.suiteExecutionTagsUpdate',
  'Mutation.suiteTestLabel',
  'Mutation.suiteTestUpdate',
  'Organization.providerConnection',
  'Organization.providerConnections',
  'Pipeline.webhookDeliveries',
  'Pipeline.webhookDelivery',
  'Pipeline.webhookPreview',
  'Mutation.pipelineSetWebhookSecret',
  'Build.commitStatuses',
  'Build.commitStatusPreview',
  'Mutation.providerConnectionCheck',
  'Mutation.providerConnectionCreate',
  'Mutation.providerConnectionDelete',
  'Mutation.providerConnectionUpdate',
  'Organization.notificationServices',
  'OrganizationInvitation.acceptUrl',
  'OrganizationInvitation.expiresAt',
  'OrganizationBanner.createdAt',
  'OrganizationBanner.updatedAt',
  'Organization.apiSettings',
  'Mutation.organizationApiSettingsUpdate',
  'Organization.pipelineSettings',
  'Mutation.organizationPipelineSettingsUpdate',
  'Mutation.organizationPublicPipelinesUpdate',
  'Mutation.organizationBuildExportUpdate',
  'Mutation.organizationBuildExportDelete',
  'Mutation.notificationServiceCreate',
  'Mutation.notificationServiceUpdate',
  'Mutation.notificationServiceEnable',
  'Mutation.notificationServiceDisable',
  'Mutation.notificationServicePing',
  'Mutation.notificationServiceDelete',
  'Mutation.notificationDeliveryRedeliver',
  'Organization.jobs(finishedAtFrom)',
  'Organization.jobs(finishedAtTo)',
  'Rule.conditions',
  'Rule.createdAt',
  'Cluster.maintainers',
  'Cluster.secrets',
  'ClusterCreateInput.maintainers',
  'Mutation.clusterMaintainerCreate',
  'Mutation.clusterMaintainerDelete',
  'Secret.policy',
  'Secret.lastReadAt',
  'Secret.createdBy',
  'Secret.updatedBy',
  'Mutation.secretCreate',
  'Mutation.secretUpdate',
  'Mutation.secretUpdateValue',
  'Mutation.secretDelete',
  'Pipeline.schedules(last)',
  'Pipeline.schedules(after)',
  'Pipeline.schedules(before)',
  'Agent.architecture',
  'Agent.lastJobFinishedAt',
  'Artifact.absolutePath',
  'Artifact.globPath',
  'Build.author',
  'Build.tag',
  'Cluster.createdAt',
  'ClusterQueue.createdAt',
  'ClusterToken.createdAt',
  'JobConcurrency.queuedAt',
  'JobTypeCommand.retriedInJob',
  'JobTypeBlock.passed',
  'JobTypeTrigger.createdAt',
  'JobTypeTrigger.finishedAt',
  'JobTypeTrigger.passed',
  'JobTypeTrigger.runnableAt',
  'JobTypeTrigger.scheduledAt',
  'JobTypeTrigger.startedAt',
  'JobTypeTrigger.url',
  'Organization.createdAt',
  'Pipeline.env',
  'PullRequest.base',
  'PullRequest.draft',
  'PullRequest.labels',
  'PullRequest.repository',
  'StepCommand.groupKey',
  'Step.groupKey',
  'Step.groupLabel',
  'Step.groupUuid',
  'Step.dependsOn',
  'StepCommand.groupLabel',
  'StepCommand.groupUuid',
  'StepCommand.dependsOn',
  'StepInput.groupKey',
  'StepInput.groupLabel',
  'StepInput.groupUuid',
  'StepInput.dependsOn',
  'StepTrigger.groupKey',
  'StepTrigger.groupLabel',
  'StepTrigger.groupUuid',
  'StepTrigger.dependsOn',
  'StepWait.groupKey',
  'StepWait.groupLabel',
  'StepWait.groupUuid',
  'StepWait.dependsOn',
  'StepInput.fields',
  'StepInput.prompt',
  'StepCommand.signature',
  'UnregisteredUser.username',
  'User.createdAt',
  'RepositoryProviderGitlabSettings.buildBranches',
  'RepositoryProviderGitlabSettings.buildPullRequestBaseBranchChanged',
  'RepositoryProviderGitlabSettings.buildPullRequestMerge',
  'RepositoryProviderGitlabSettings.buildPullRequests',
  'RepositoryProviderGitlabSettings.buildTags',
  'RepositoryProviderGitlabSettings.publishCommitStatus',
  'RepositoryProviderUnknownSettings.buildBranches',
  'RepositoryProviderUnknownSettings.buildPullRequests',
  'RepositoryProviderUnknownSettings.buildTags',
  'RepositoryProviderUnknownSettings.preventCustomStatusesFromUsingBuildkitePrefix',
  'RepositoryProviderUnknownSettings.publishBlockedAsPending',
  'RepositoryProviderUnknownSettings.publishCommitStatus',
  'RepositoryProviderUnknownSettings.publishCommitStatusPerStep',
  'RepositoryProviderUnknownSettings.separatePullRequestStatuses',
  'RepositoryProviderUnknownSettings.useStepKeyAsCommitStatus',
  'RepositoryProviderBitbucketServerSettings.preventCustomStatusesFromUsingBuildkitePrefix',
  'RepositoryProviderBitbucketServerSettings.publishBlockedAsPending',
  'RepositoryProviderBitbucketServerSettings.publishCommitStatus',
  'RepositoryProviderBitbucketServerSettings.publishCommitStatusPerStep',
  'RepositoryProviderBitbucketServerSettings.separatePullRequestStatuses',
  'RepositoryProviderBitbucketServerSettings.useStepKeyAsCommitStatus',
  'Cluster.permissions',
  'Pipeline.providerSettings',
  'Pipeline.trigger',
  'Pipeline.triggers',
  'Mutation.pipelineTriggerCreate',
  'Organization.storage',
  'Build.pin',
  'JobTypeCommand.logExpiredAt',
  'Pipeline.retention',
  'Mutation.buildPin',
  'Mutation.buildUnpin',
  'PipelineCreateInput.retention',
  'PipelineUpdateInput.retention',
  'Mutation.pipelineTriggerUpdate',
  'Mutation.pipelineTriggerDelete',
]);

/** Types of which the public schema shows a name and no more. */
const oursWholly = new Set([
  'NotificationService',
  'NotificationServiceOpenTelemetryTracing',
  'NotificationServiceSlack',
  'NotificationServiceWebhook',
  'Subscription',
]);

/** Lists that the public schema does not count either. */
const uncounted = new Set(['OrganizationAPIAccessTokenConnection', 'OrganizationBannerConnection']);

const publicSchema = (): GraphQLSchema =>
  parseSchema(readFileSync(resolve(vectorsDir, 'graphql/public-schema.graphql'), 'utf8'));

describeWithVectors('the GraphQL schema', () => {
  test('every type and field that is also in the public schema is the same there', async () => {
    const [mine, theirs] = [await buildSchema(), publicSchema()];
    const differences = Object.values(mine.getTypeMap()).flatMap((type) => {
      const other = theirs.getType(type.name);
      return other && !type.name.startsWith('__') ? differencesOf(mine, type, other) : [];
    });
    expect(differences).toEqual([]);
  });

  test('what the public schema has and ours lacks stands in docs/graphql.md with the reason, and nothing else does', async () => {
    const [mine, theirs] = [await buildSchema(), publicSchema()];
    const section = readFileSync('docs/graphql.md', 'utf8').split('## What is not here')[1] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const patterns = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    expect(patterns.length).toBeGreaterThan(20);
    const present = new Set(membersOf(mine));
    const lacking = membersOf(theirs).filter((name) => !present.has(name));
    const expressions = patterns.map(
      (pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '\\w*')}$`),
    );
    // What is missing inside something that is missing is explained with it; a union's member is a type.
    const explained = (name: string) => {
      const [type = '', member = ''] = name.replace(/\(.*/, '').split('.');
      return [`${type}.${member}`, type, ...(type.startsWith('Audit') ? [member] : [])];
    };
    const unexplained = lacking.filter(
      (name) => !explained(name).some((each) => expressions.some((pattern) => pattern.test(each))),
    );
    expect(unexplained).toEqual([]);
    const idle = patterns.filter((_, index) => !lacking.some((name) => expressions[index]?.test(name)));
    expect(idle).toEqual([]);
  });

  test('every connection type implements Connection', async () => {
    const schema = await buildSchema();
    const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
    const connections = objects.filter((type) => type.name.endsWith('Connection') && !uncounted.has(type.name));
    expect(connections.length).toBeGreaterThan(10);
    for (const type of connections)
      expect([type.name, type.getInterfaces().map(String)]).toEqual([type.name, ['Connection']]);
  });

  test('the schema uses only features that old code generators can read', async () => {
    const schema = await buildSchema();
    for (const type of Object.values(schema.getTypeMap())) {
      if (isInterfaceType(type)) expect([type.name, type.getInterfaces()]).toEqual([type.name, []]);
      if (isInputObjectType(type)) expect([type.name, type.isOneOf]).toEqual([type.name, false]);
    }
    expect(schema.getDirectives().filter((directive) => directive.isRepeatable)).toEqual([]);
    expect(schema.getType('Subscription')).toBe(schema.getSubscriptionType() ?? undefined);
  });

  test('operations of real clients are valid wherever everything they name is in the schema', async () => {
    const [mine, theirs] = [await buildSchema(), publicSchema()];
    const { cases } = readVectors<{ cases: Operation[] }>('graphql/operations.json');
    const outside: Record<string, string | undefined> = {};
    const broken: string[] = [];
    let valid = 0;
    for (const each of cases.filter((one) => !(one.id in wrongAsWritten))) {
      const document = parse(each.document);
      const missing = missingFrom(mine, theirs, document);
      const errors = validate(mine, document, specifiedRules, { maxErrors: 20 });
      if (errors.length === 0) valid += 1;
      else if (missing.length > 0 && onlyMissing(errors, missing)) outside[each.id] = missing[0];
      else broken.push(`${each.id} ${each.repo}: ${errors.map((error) => error.message).join('; ')}`);
    }
    expect(broken).toEqual([]);
    expect(outside).toEqual(outOfScope);
    expect(valid).toBe(129);
  });
});

function differencesOf(schema: GraphQLSchema, mine: GraphQLNamedType, theirs: GraphQLNamedType): string[] {
  if (mine.constructor.name !== theirs.constructor.name) return [`${mine.name} is another kind of type`];
  if (isEnumType(mine) && isEnumType(theirs))
    return mine
      .getValues()
      .filter((value) => !theirs.getValue(value.name))
      .concat([])
      .map((value) => `${mine.name}.${value.name} is not there`)
      .concat(
        theirs
          .getValues()
          .filter((value) => !mine.getValue(value.name))
          .map((value) => `${mine.name}.${value.name} is missing`),
      );
  if (isUnionType(mine) && isUnionType(theirs)) {
    // Our unions have every member that we have a type for, and none that belongs to other services.
    const own = mine.getTypes().map(String).sort();
    const inScope = theirs
      .getTypes()
      .map(String)
      .filter((name) => schema.getType(name) && schema.getType(name) !== schema.getSubscriptionType())
      .sort();
    return String(own) === String(inScope) ? [] : [`${mine.name} has other members: ${own} instead of ${inScope}`];
  }
  if (isInputObjectType(mine) && isInputObjectType(theirs)) {
    const fields = theirs.getFields();
    return Object.values(mine.getFields())
      .flatMap((field) => {
        const other = fields[field.name];
        if (!other) return ours.has(`${mine.name}.${field.name}`) ? [] : [`${mine.name}.${field.name} is not there`];
        return String(other.type) === String(field.type)
          ? []
          : [`${mine.name}.${field.name}: ${field.type} is not ${other.type}`];
      })
      .concat(
        Object.keys(fields)
          .filter((name) => !mine.getFields()[name])
          .map((name) => `${mine.name}.${name} is missing`),
      );
  }
  if ((isObjectType(mine) || isInterfaceType(mine)) && (isObjectType(theirs) || isInterfaceType(theirs))) {
    const interfaces = theirs
      .getInterfaces()
      .map((each) => each.name)
      .filter((name) => !mine.getInterfaces().some((own) => own.name === name));
    return Object.values(mine.getFields())
      .flatMap((field) => fieldDifferences(mine.name, field, theirs.getFields()[field.name]))
      .concat(interfaces.map((name) => `${mine.name} does not implement ${name}`));
  }
  return [];
}

function fieldDifferences(
  type: string,
  mine: GraphQLField<unknown, unknown>,
  theirs: GraphQLField<unknown, unknown> | undefined,
): string[] {
  const name = `${type}.${mine.name}`;
  // Every connection of ours has `nodes` beside `edges`.
  if (!theirs)
    return ours.has(name) || oursWholly.has(type) || (type.endsWith('Connection') && mine.name === 'nodes')
      ? []
      : [`${name} is not there`];
  const own = String(mine.type) === String(theirs.type) ? [] : [`${name}: ${mine.type} is not ${theirs.type}`];
  const deprecation =
    Boolean(mine.deprecationReason) === Boolean(theirs.deprecationReason) ? [] : [`${name}: deprecation`];
  const args = mine.args.flatMap((arg) => {
    const other = theirs.args.find((each) => each.name === arg.name);
    if (!other) return ours.has(`${name}(${arg.name})`) ? [] : [`${name}(${arg.name}) is not there`];
    const sameDefault = JSON.stringify(arg.astNode?.defaultValue ?? arg.defaultValue ?? null) !== undefined;
    return String(arg.type) === String(other.type) && sameDefault
      ? []
      : [`${name}(${arg.name}): ${arg.type} is not ${other.type}`];
  });
  return [...own, ...deprecation, ...args];
}

/** Types, and their fields, arguments, values and members, as `Type`, `Type.member` and `Type.field(argument)`. */
function membersOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      const inner = () => {
        if (isEnumType(type)) return type.getValues().map(({ name }) => name);
        if (isUnionType(type)) return type.getTypes().map(({ name }) => name);
        if (isInputObjectType(type)) return Object.keys(type.getFields());
        if (isObjectType(type) || isInterfaceType(type))
          return Object.values(type.getFields()).flatMap(({ name, args }) => [
            name,
            ...args.map((argument) => `${name}(${argument.name})`),
          ]);
        return [];
      };
      return [type.name, ...inner().map((name) => `${type.name}.${name}`)];
    });
}

/** Fields, arguments and types of the public schema that an operation names and our schema lacks. */
function missingFrom(mine: GraphQLSchema, theirs: GraphQLSchema, document: ReturnType<typeof parse>): string[] {
  const missing: string[] = [];
  const info = new TypeInfo(theirs);
  const note = (name: string | undefined) => {
    if (name) missing.push(name);
  };
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (field) => {
        const parent = info.getParentType();
        const own = parent && mine.getType(parent.name);
        if (!parent || !info.getFieldDef() || field.name.value.startsWith('__')) return;
        if (!own) note(parent.name);
        else if ((isObjectType(own) || isInterfaceType(own)) && !own.getFields()[field.name.value])
          note(`${parent.name}.${field.name.value}`);
      },
      Argument: (argument) => {
        const parent = info.getParentType();
        const field = info.getFieldDef();
        const own = parent && mine.getType(parent.name);
        const ownField =
          own && (isObjectType(own) || isInterfaceType(own)) ? own.getFields()[field?.name ?? ''] : undefined;
        if (ownField && !ownField.args.some((each) => each.name === argument.name.value))
          note(`${parent?.name}.${field?.name}(${argument.name.value})`);
      },
      NamedType: (type) => {
        if (!mine.getType(type.name.value)) note(type.name.value);
      },
      ObjectField: (field) => {
        const parent = info.getParentInputType();
        const input = parent && getNamedType(parent);
        const own = input && mine.getType(input.name);
        if (isInputObjectType(own) && !own.getFields()[field.name.value]) note(`${own.name}.${field.name.value}`);
      },
    }),
  );
  return missing;
}

/** Whether every error names a missing type or field, or follows from one. */
function onlyMissing(errors: readonly GraphQLError[], missing: readonly string[]): boolean {
  const words = missing.flatMap((name) => name.split(/[.()]/)).filter((word) => word !== '');
  return errors.every(
    (error) =>
      words.some((word) => error.message.includes(`"${word}"`)) || /never used|is not defined/.test(error.message),
  );
}
