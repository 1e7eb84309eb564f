/**
 * Descriptions of the fields of request bodies, by the noun of the operation and the path of the field. A field that
 * replies show as well has its description there (`src/rest/present/`); one is listed here if replies lack it or
 * describe it otherwise.
 */
export const bodyDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agent: {
    force: 'Whether to cancel the running job; otherwise the agent finishes it first.',
    note: 'Note of the pause.',
    timeout_in_minutes: 'Minutes after which the pause ends.',
  },
  annotation: {
    append: 'Whether to append `body` to an existing annotation with the same context.',
    body: 'Body in Markdown or HTML.',
    style: 'Visual style.',
  },
  build: {
    clean_checkout: 'Whether agents check the repository out anew.',
    ignore_pipeline_branch_filters: 'Whether to build a branch that the pipeline does not build otherwise.',
    meta_data: 'Meta-data of the build; values become text.',
    pull_request_base_branch: 'Branch that the pull request is to be merged into.',
    pull_request_id: 'Number of the pull request.',
    pull_request_labels: 'Labels of the pull request.',
    pull_request_repository: 'Repository that the pull request comes from.',
    reason: 'Reason for keeping the build.',
    states: 'States of the jobs to retry, separated by commas; all failed jobs if empty.',
  },
  cluster: {
    'maintainers.team': 'ID of a team that is to maintain the cluster.',
    'maintainers.user': 'ID of a user who is to maintain the cluster.',
  },
  'culprit-search': {
    steps: 'Keys or IDs of the steps to look at; all that failed by default.',
    good_commit: 'Commit at which the steps passed; that of the last passed build by default.',
    commits:
      'Commits between, oldest first; as the source provider, or the builds of the branch, have them by default.',
  },
  'cluster-maintainer': {
    team: 'ID of the team; give either `team` or `user`.',
    user: 'ID of the user; give either `user` or `team`.',
  },
  job: {
    fields: 'Values of the fields of the block step, by key.',
    priority: 'Priority of the job; jobs with a higher number are dispatched first.',
    unblocker: 'ID of the user to name as the one who unblocked the job; the caller by default.',
  },
  'notification-service': {
    provider: 'Kind of notification service: `webhook`.',
    'settings.token': 'Token that requests carry or are signed with.',
  },
  organization: {
    location: 'Name of the bucket or folder that the operator has for exports; `s3://bucket` names the same.',
    strategy_id: 'One of `supported_strategies`.',
  },
  'organization-invitation': {
    emails: 'Email addresses to invite; all of them or none.',
    'teams.id': 'ID of a team that the invited will join.',
    'teams.role': "Role of the invited in the team; the team's default role if absent.",
  },
  pipeline: {
    clone_mirror_url: 'URL of a mirror that agents clone from; null or empty removes it.',
    configuration: 'Steps of the pipeline as YAML.',
    next_build_number: 'Number of the next build; must be greater than every number so far.',
    provider_settings: 'Settings that decide which events create builds and which statuses are sent.',
    secret: 'Secret that deliveries to the webhook URL must show; null removes it.',
    slug: 'Slug of the pipeline; made from its name by default.',
    team_uuids: 'IDs of teams that get full access to the pipeline.',
    teams: 'Access levels of teams, by ID of the team.',
  },
  'pipeline-trigger': {
    secret: 'Secret that requests must be signed with; null for none.',
  },
  'provider-connection': {
    private_key: 'Private key of the App in PEM form; never shown again.',
    token: 'Token for the API of the provider; never shown again.',
    webhook_secret: 'Secret that webhooks made through the connection are signed with; never shown again.',
  },
  execution: {
    executions: 'Executions of the suite, none of them twice, with the mutable tags that they have from now on.',
    'executions.id': 'ID of the execution.',
    'executions.tags': 'Values of all mutable tags of the execution by their keys, which begin with `mut.`.',
  },
  rule: {
    value: 'Pipelines that the rule is about.',
    'value.conditions': 'Conditions about the build of the source, such as `source.build.branch == "main"`.',
    'value.source_pipeline': 'ID or slug of the pipeline that may act.',
    'value.target_pipeline': 'ID or slug of the pipeline that the source may act on.',
  },
  secret: {
    value: 'Value of the secret; never shown again.',
  },
  queue: {
    hosted_agents: 'Agents that the service itself would host: refused, because agents run on machines of your own.',
  },
  suite: {
    show_api_token: 'Whether the reply shows the API token of the suite.',
    team_ids: 'IDs of teams that may read and edit the suite.',
    teams_ids: 'The same as `team_ids`.',
  },
  'suite-test': {
    labels: 'Labels to add or remove.',
    operator: 'Whether to `add` or `remove` the labels.',
    until: 'Time at which the test is enabled again, within a year; never if it is absent.',
  },
  'test-plan': {
    branch: 'Branch of the build.',
    duration: 'Seconds that the tests took; by the events of the timeline where it is absent.',
    env: 'Variables of the job.',
    'env.BUILDKITE_BUILD_ID': 'ID of the build.',
    'env.BUILDKITE_PARALLEL_JOB': 'Number of the parallel job, from 0.',
    'env.BUILDKITE_PARALLEL_JOB_COUNT': 'Number of parallel jobs.',
    'env.BUILDKITE_STEP_ID': 'ID of the step.',
    'env.BUILDKITE_TEST_ENGINE_IDENTIFIER': 'What the jobs of the step ask with; the build and the step by default.',
    'env.BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE': 'Whether slow files are to be split too.',
    files: 'Files of tests.',
    'files.path': 'Path of the file.',
    location_prefix: 'Folder that uploaded paths have in front of selectors.',
    max_parallelism: 'Most parallel jobs, where the plan is to say how many run; 0 as if absent.',
    node: 'Number of the parallel job, from 0; that of the variables where it is absent.',
    parallelism: 'Number of parallel jobs; that of the variables where it is absent.',
    paths: 'Paths of files of tests.',
    selection: 'Choice among the tests, for callers that send all of them.',
    'selection.params': 'Parameters of the strategy.',
    'selection.params.selectors':
      'Selectors of `manual`, one on each line: paths of files as they are among the tests.',
    'selection.strategy': '`manual` plans the tests that `selectors` name; the others plan every test.',
    slow: 'Whether files that take longer than the share of a job are to be split too.',
    statistics: 'Number of tests by outcome.',
    target_time: 'Seconds that the tests of a job are to take; 0 as if absent.',
    tests: 'What is to be run.',
    'tests.examples': 'Examples of files.',
    'tests.examples.identifier': 'What the test runner retries the example by.',
    'tests.examples.name': 'Name of the example.',
    'tests.examples.path': 'What the test runner takes for the example.',
    'tests.examples.scope': 'Scope of the example.',
    'tests.files': 'Files of tests.',
    'tests.files.path': 'Path of the file.',
    'tests.selectors': 'Texts that only the test runner understands, such as packages.',
    'tests.selectors.value': 'The text.',
    timeline: 'What the job did when.',
    'timeline.event': 'Name of the event, such as `test_start`.',
    'timeline.timestamp': 'Time of the event.',
    version: 'Version of the client.',
  },
  team: {
    is_default_team: 'Whether new members of the organization join the team.',
  },
  'webhook-delivery': {
    payload: 'Payload as the source provider would send it.',
  },
};
