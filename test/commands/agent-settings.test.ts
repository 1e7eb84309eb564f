import { writeFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';

import { agentStartCommand } from '../../src/commands/agent.js';
import {
  applySettings,
  ignored,
  nameOf,
  readSettingsFile,
  refused,
  variables,
} from '../../src/commands/agent-settings.js';
import { temporaryDirectory } from '../support/database.js';
import { FakeControlPlane } from '../support/fake-control-plane.js';
import { writeFiles } from '../support/git-repository.js';
import { builtProgram, Program } from '../support/program.js';

/** Every setting of `start` of the open-source agent 3.137.0, with its variable. */
const documented = `
  acquire-job BUILDKITE_AGENT_ACQUIRE_JOB
  additional-hooks-paths BUILDKITE_ADDITIONAL_HOOKS_PATHS
  allowed-environment-variables BUILDKITE_ALLOWED_ENVIRONMENT_VARIABLES
  allowed-plugins BUILDKITE_ALLOWED_PLUGINS
  allowed-repositories BUILDKITE_ALLOWED_REPOSITORIES
  artifact-upload-concurrency BUILDKITE_ARTIFACT_UPLOAD_CONCURRENCY
  bootstrap-script BUILDKITE_BOOTSTRAP_SCRIPT_PATH
  build-path BUILDKITE_BUILD_PATH
  cancel-grace-period BUILDKITE_CANCEL_GRACE_PERIOD
  cancel-signal BUILDKITE_CANCEL_SIGNAL
  checkout-attempts BUILDKITE_CHECKOUT_ATTEMPTS
  checkout-override-mode BUILDKITE_CHECKOUT_OVERRIDE_MODE
  config BUILDKITE_AGENT_CONFIG
  debug BUILDKITE_AGENT_DEBUG
  debug-http BUILDKITE_AGENT_DEBUG_HTTP
  debug-signing BUILDKITE_AGENT_DEBUG_SIGNING
  disable-warnings-for BUILDKITE_AGENT_DISABLE_WARNINGS_FOR
  disconnect-after-idle-timeout BUILDKITE_AGENT_DISCONNECT_AFTER_IDLE_TIMEOUT
  disconnect-after-job BUILDKITE_AGENT_DISCONNECT_AFTER_JOB
  disconnect-after-job-timeout BUILDKITE_AGENT_DISCONNECT_AFTER_JOB_TIMEOUT
  disconnect-after-uptime BUILDKITE_AGENT_DISCONNECT_AFTER_UPTIME
  enable-environment-variable-allowlist BUILDKITE_ENABLE_ENVIRONMENT_VARIABLE_ALLOWLIST
  enable-job-log-tmpfile BUILDKITE_ENABLE_JOB_LOG_TMPFILE
  endpoint BUILDKITE_AGENT_ENDPOINT
  experiment BUILDKITE_AGENT_EXPERIMENT
  fail-on-missing-tags BUILDKITE_AGENT_FAIL_ON_MISSING_TAGS
  git-checkout-flags BUILDKITE_GIT_CHECKOUT_FLAGS
  git-checkout-timeout BUILDKITE_GIT_CHECKOUT_TIMEOUT
  git-clean-flags BUILDKITE_GIT_CLEAN_FLAGS
  git-clone-flags BUILDKITE_GIT_CLONE_FLAGS
  git-clone-mirror-flags BUILDKITE_GIT_CLONE_MIRROR_FLAGS
  git-commit-verification BUILDKITE_GIT_COMMIT_VERIFICATION
  git-fetch-flags BUILDKITE_GIT_FETCH_FLAGS
  git-mirror-checkout-mode BUILDKITE_GIT_MIRROR_CHECKOUT_MODE
  git-mirrors-lock-timeout BUILDKITE_GIT_MIRRORS_LOCK_TIMEOUT
  git-mirrors-path BUILDKITE_GIT_MIRRORS_PATH
  git-mirrors-skip-update BUILDKITE_GIT_MIRRORS_SKIP_UPDATE
  git-skip-fetch-existing-commits BUILDKITE_GIT_SKIP_FETCH_EXISTING_COMMITS
  git-sparse-checkout-mode BUILDKITE_GIT_SPARSE_CHECKOUT_MODE
  git-sparse-checkout-paths BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS
  git-submodule-clone-config BUILDKITE_GIT_SUBMODULE_CLONE_CONFIG
  health-check-addr BUILDKITE_AGENT_HEALTH_CHECK_ADDR
  hooks-path BUILDKITE_HOOKS_PATH
  hooks-shell BUILDKITE_HOOKS_SHELL
  job-context-dir BUILDKITE_JOB_CONTEXT_DIR
  job-log-path BUILDKITE_JOB_LOG_PATH
  job-logs-otlp BUILDKITE_JOB_LOGS_OTLP
  kubernetes-container-start-timeout BUILDKITE_KUBERNETES_CONTAINER_START_TIMEOUT
  kubernetes-exec BUILDKITE_KUBERNETES_EXEC
  kubernetes-log-collection-grace-period BUILDKITE_KUBERNETES_LOG_COLLECTION_GRACE_PERIOD
  log-format BUILDKITE_LOG_FORMAT
  log-level BUILDKITE_AGENT_LOG_LEVEL
  meta-data BUILDKITE_AGENT_META_DATA
  meta-data-ec2 BUILDKITE_AGENT_META_DATA_EC2
  meta-data-ec2-tags BUILDKITE_AGENT_META_DATA_EC2_TAGS
  meta-data-gcp BUILDKITE_AGENT_META_DATA_GCP
  metrics-datadog BUILDKITE_METRICS_DATADOG
  metrics-datadog-distributions BUILDKITE_METRICS_DATADOG_DISTRIBUTIONS
  metrics-datadog-host BUILDKITE_METRICS_DATADOG_HOST
  name BUILDKITE_AGENT_NAME
  no-ansi-timestamps BUILDKITE_NO_ANSI_TIMESTAMPS
  no-automatic-ssh-fingerprint-verification BUILDKITE_NO_AUTOMATIC_SSH_FINGERPRINT_VERIFICATION
  no-color BUILDKITE_AGENT_NO_COLOR
  no-command-eval BUILDKITE_NO_COMMAND_EVAL
  no-feature-reporting BUILDKITE_AGENT_NO_FEATURE_REPORTING
  no-git-submodules BUILDKITE_NO_GIT_SUBMODULES,BUILDKITE_DISABLE_GIT_SUBMODULES
  no-http2 BUILDKITE_NO_HTTP2
  no-local-hooks BUILDKITE_NO_LOCAL_HOOKS
  no-multipart-artifact-upload BUILDKITE_NO_MULTIPART_ARTIFACT_UPLOAD
  no-plugin-validation BUILDKITE_NO_PLUGIN_VALIDATION
  no-plugins BUILDKITE_NO_PLUGINS
  no-pty BUILDKITE_NO_PTY
  no-ssh-keyscan BUILDKITE_NO_SSH_KEYSCAN
  ping-mode BUILDKITE_AGENT_PING_MODE
  plugins-always-clone-fresh BUILDKITE_PLUGINS_ALWAYS_CLONE_FRESH
  plugins-path BUILDKITE_PLUGINS_PATH
  priority BUILDKITE_AGENT_PRIORITY
  profile BUILDKITE_AGENT_PROFILE
  queue BUILDKITE_AGENT_QUEUE
  redacted-vars BUILDKITE_REDACTED_VARS
  reflect-exit-status BUILDKITE_AGENT_REFLECT_EXIT_STATUS
  shell BUILDKITE_SHELL
  signal-grace-period-seconds BUILDKITE_SIGNAL_GRACE_PERIOD_SECONDS
  signing-aws-kms-key BUILDKITE_AGENT_SIGNING_AWS_KMS_KEY
  signing-gcp-kms-key BUILDKITE_AGENT_SIGNING_GCP_KMS_KEY
  signing-jwks-file BUILDKITE_AGENT_SIGNING_JWKS_FILE
  signing-jwks-key-id BUILDKITE_AGENT_SIGNING_JWKS_KEY_ID
  skip-checkout BUILDKITE_SKIP_CHECKOUT
  sockets-path BUILDKITE_SOCKETS_PATH
  spawn BUILDKITE_AGENT_SPAWN
  spawn-per-cpu BUILDKITE_AGENT_SPAWN_PER_CPU
  spawn-with-priority BUILDKITE_AGENT_SPAWN_WITH_PRIORITY
  strict-single-hooks BUILDKITE_STRICT_SINGLE_HOOKS
  tags BUILDKITE_AGENT_TAGS
  tags-from-ec2 BUILDKITE_AGENT_TAGS_FROM_EC2
  tags-from-ec2-meta-data BUILDKITE_AGENT_TAGS_FROM_EC2_META_DATA
  tags-from-ec2-meta-data-paths BUILDKITE_AGENT_TAGS_FROM_EC2_META_DATA_PATHS
  tags-from-ec2-tags BUILDKITE_AGENT_TAGS_FROM_EC2_TAGS
  tags-from-ecs-meta-data BUILDKITE_AGENT_TAGS_FROM_ECS_META_DATA
  tags-from-gcp BUILDKITE_AGENT_TAGS_FROM_GCP
  tags-from-gcp-labels BUILDKITE_AGENT_TAGS_FROM_GCP_LABELS
  tags-from-gcp-meta-data BUILDKITE_AGENT_TAGS_FROM_GCP_META_DATA
  tags-from-gcp-meta-data-paths BUILDKITE_AGENT_TAGS_FROM_GCP_META_DATA_PATHS
  tags-from-host BUILDKITE_AGENT_TAGS_FROM_HOST
  timestamp-lines BUILDKITE_TIMESTAMP_LINES
  token BUILDKITE_AGENT_TOKEN
  trace-context-encoding BUILDKITE_TRACE_CONTEXT_ENCODING
  trace-http BUILDKITE_AGENT_TRACE_HTTP
  tracing-backend BUILDKITE_TRACING_BACKEND
  tracing-propagate-traceparent BUILDKITE_TRACING_PROPAGATE_TRACEPARENT
  tracing-service-name BUILDKITE_TRACING_SERVICE_NAME
  verification-failure-behavior BUILDKITE_AGENT_JOB_VERIFICATION_NO_SIGNATURE_BEHAVIOR
  verification-jwks-file BUILDKITE_AGENT_VERIFICATION_JWKS_FILE
  wait-for-ec2-meta-data-timeout BUILDKITE_AGENT_WAIT_FOR_EC2_META_DATA_TIMEOUT
  wait-for-ec2-tags-timeout BUILDKITE_AGENT_WAIT_FOR_EC2_TAGS_TIMEOUT
  wait-for-ecs-meta-data-timeout BUILDKITE_AGENT_WAIT_FOR_ECS_META_DATA_TIMEOUT
  wait-for-gcp-labels-timeout BUILDKITE_AGENT_WAIT_FOR_GCP_LABELS_TIMEOUT
  write-job-logs-to-stdout BUILDKITE_WRITE_JOB_LOGS_TO_STDOUT
`;

describe('settings of slipway agent start', () => {
  const folder = temporaryDirectory();
  // Builds the program, which takes longer than a test may on a busy machine.
  beforeAll(() => void builtProgram(), 120_000);
  afterAll(() => folder.remove());

  /** The options of a command line with these variables and this file, and what is ignored of them. */
  const settle = (args: string[], env: Record<string, string> = {}, text?: string) => {
    const command = agentStartCommand().action(() => undefined);
    command.parse(args, { from: 'user' });
    const path = join(folder.path, 'buildkite-agent.cfg');
    if (text !== undefined) writeFileSync(path, text);
    const file = text === undefined ? null : readSettingsFile(path, env);
    return { left: applySettings(command, { env, file }), options: command.opts() };
  };

  const rows = documented
    .trim()
    .split(/\n/)
    .map((line) => line.trim().split(' ') as [string, string]);

  test.each(rows)(
    'the setting %s of the open-source agent is read, or named as ignored or refused',
    (name, variable) => {
      const former = name === 'meta-data' ? 'tags' : name;
      const found = [
        variable.split(',').every((each) => variables[former]?.includes(each)),
        ignored[name] === variable,
        refused[name] === variable,
      ];
      expect(found.filter(Boolean)).toHaveLength(1);
    },
  );

  test('every variable belongs to an option of the command', () => {
    const names = agentStartCommand().options.map(nameOf);
    expect(Object.keys(variables).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('variables set the options that the command line leaves out, switches by their value', () => {
    const { options, left } = settle(['--name', 'of the line'], {
      BUILDKITE_AGENT_NAME: 'of the environment',
      BUILDKITE_AGENT_TAGS: 'queue=gpu,os=linux',
      BUILDKITE_AGENT_PRIORITY: '3',
      BUILDKITE_AGENT_SPAWN: '4',
      BUILDKITE_AGENT_DISCONNECT_AFTER_JOB: 'true',
      BUILDKITE_AGENT_SPAWN_WITH_PRIORITY: 'false',
      BUILDKITE_BUILD_PATH: '$HOME/builds',
      BUILDKITE_NO_PLUGINS: 'true',
      BUILDKITE_NO_LOCAL_HOOKS: 'false',
      BUILDKITE_AGENT_QUEUE: '',
      BUILDKITE_ALLOWED_REPOSITORIES: '^git@example.com:a/, ^https://example.com/',
      HOME: '/home/agent',
    });
    expect(options).toMatchObject({
      name: 'of the line',
      tags: ['queue=gpu', 'os=linux'],
      priority: 3,
      spawn: 4,
      disconnectAfterJob: true,
      spawnWithPriority: false,
      buildPath: '/home/agent/builds',
      plugins: false,
      localHooks: true,
      allowedRepositories: [/^git@example.com:a\//, /^https:\/\/example.com\//],
    });
    expect(options['queue']).toBeUndefined();
    expect(left).toEqual([]);
  });

  test('a file sets what neither the command line nor a variable sets', () => {
    const text = `
      # The token
      token="of the file"
      name="%hostname-%spawn" # the number
      tags: "queue=default,os=linux"
      spawn=2
      no-pty=true
      build-path="~/builds"
      export shell='/bin/sh -c'
      priority=9
      health-check-addr="0.0.0.0:8080"
      spawm=3`;
    const { options, left } = settle(['--spawn', '5'], { BUILDKITE_AGENT_PRIORITY: '1' }, text);
    expect(options).toMatchObject({
      token: 'of the file',
      name: '%hostname-%spawn',
      tags: ['queue=default', 'os=linux'],
      spawn: 5,
      pty: false,
      buildPath: join(homedir(), 'builds'),
      shell: '/bin/sh -c',
      priority: 1,
    });
    const path = join(folder.path, 'buildkite-agent.cfg');
    expect(left).toEqual([`health-check-addr in ${path}`, `spawm in ${path}`]);
  });

  test('a token of the command line or of a variable comes before one of a later source, whichever way it comes', () => {
    const token = (args: string[], env: Record<string, string>, text?: string) => {
      const { options } = settle(args, env, text);
      return [options['token'], options['tokenFile']];
    };
    expect(token(['--token-file', 'a'], { BUILDKITE_AGENT_TOKEN: 'b' }, 'token=c')).toEqual([undefined, 'a']);
    expect(token([], { BUILDKITE_AGENT_TOKEN_FILE: 'b' }, 'token=c')).toEqual([undefined, 'b']);
    expect(token([], {}, 'token=c')).toEqual(['c', undefined]);
  });

  test('settings that are ignored are named, unless they are off, and so are variables that look like settings', () => {
    const { left } = settle([], {
      BUILDKITE_NO_SSH_KEYSCAN: 'true',
      BUILDKITE_METRICS_DATADOG: 'false',
      BUILDKITE_AGENT_TAG: 'queue=gpu',
      BUILDKITE_AGENT_TAGS: 'queue=gpu',
    });
    expect(left).toEqual(['$BUILDKITE_NO_SSH_KEYSCAN', '$BUILDKITE_AGENT_TAG']);
    expect(settle([], { BUILDKITE_JOB_ID: 'in a job', BUILDKITE_AGENT_ACCESS_TOKEN: 'x' }).left).toEqual([]);
  });

  test.each([
    [
      'a limit that the agent does not have',
      { BUILDKITE_NO_COMMAND_EVAL: 'true' },
      '',
      /^\$BUILDKITE_NO_COMMAND_EVAL: the bundled agent does not have/,
    ],
    ['such a limit in the file', {}, 'allowed-environment-variables="^A"', /^allowed-environment-variables in .*cfg: /],
    [
      'a number that is none',
      { BUILDKITE_AGENT_SPAWN: 'many' },
      '',
      /^\$BUILDKITE_AGENT_SPAWN: It must be a whole number/,
    ],
    ['a tag that is none', {}, 'tags=linux', /^tags in .*cfg: "linux" is not key=value/],
    [
      'a pattern that is none',
      { BUILDKITE_ALLOWED_PLUGINS: '(' },
      '',
      /ALLOWED_PLUGINS: "\(" is not a regular expression/,
    ],
    ['a line that is no setting', {}, 'token=x\nnonsense', /cfg: line 2 is not name="value"$/],
  ])('%s is wrong usage', (_, env, text, message) => {
    expect(() => settle([], env, text)).toThrow(message);
  });

  test('a limit that is off may be set', () => {
    expect(settle([], { BUILDKITE_NO_COMMAND_EVAL: 'false', BUILDKITE_GIT_COMMIT_VERIFICATION: 'off' }).left).toEqual(
      [],
    );
  });

  test('an agent started by variables and a file registers with them and names what it ignores', async () => {
    const plane = await FakeControlPlane.start();
    try {
      writeFiles(folder.path, {
        'agent.cfg': `token="${plane.registrationToken}"\nspawn-per-cpu=2\ndisconnect-after-uptime=1\nprofile="cpu"\n`,
      });
      const { code, stdout } = await Program.run(['agent', 'start', '--config', join(folder.path, 'agent.cfg')], {
        BUILDKITE_AGENT_ENDPOINT: plane.endpoint,
        BUILDKITE_AGENT_TAGS: 'queue=gpu',
        BUILDKITE_AGENT_NAME: 'box-%spawn',
        BUILDKITE_AGENT_SPAWN_WITH_PRIORITY: 'true',
        BUILDKITE_BUILD_PATH: join(folder.path, 'builds'),
      });
      expect(code).toBe(0);
      const registered = plane.callsTo('POST', /register/).map(({ json }) => json);
      expect(registered).toHaveLength(2 * availableParallelism());
      expect(registered.find(({ name }) => name === 'box-2')).toMatchObject({
        meta_data: ['queue=gpu'],
        priority: '2',
      });
      expect(stdout).toContain('"ignored":["profile in ');
      expect(stdout).toContain('"msg":"read settings from a file"');
    } finally {
      await plane.stop();
    }
  });
});
