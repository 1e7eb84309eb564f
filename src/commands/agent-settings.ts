import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Command, InvalidArgumentError, type Option } from 'commander';

import { isTrue } from '../agent/job-commands/command-options.js';
import { WrongUsage } from './wrong-usage.js';

/**
 * Variables that set the options of `agent start`, by the option's name, which is its name in `buildkite-agent.cfg`
 * too. `test/commands/agent-settings.test.ts` compares this table and the two below with all settings of the
 * open-source agent.
 */
export const variables: Readonly<Record<string, readonly string[]>> = {
  'acquire-job': ['BUILDKITE_AGENT_ACQUIRE_JOB'],
  'allowed-plugins': ['BUILDKITE_ALLOWED_PLUGINS'],
  'allowed-repositories': ['BUILDKITE_ALLOWED_REPOSITORIES'],
  'build-path': ['BUILDKITE_BUILD_PATH'],
  'cancel-grace-period': ['BUILDKITE_CANCEL_GRACE_PERIOD'],
  config: ['BUILDKITE_AGENT_CONFIG'],
  debug: ['BUILDKITE_AGENT_DEBUG'],
  'disconnect-after-idle-timeout': ['BUILDKITE_AGENT_DISCONNECT_AFTER_IDLE_TIMEOUT'],
  'disconnect-after-job': ['BUILDKITE_AGENT_DISCONNECT_AFTER_JOB'],
  'disconnect-after-uptime': ['BUILDKITE_AGENT_DISCONNECT_AFTER_UPTIME'],
  endpoint: ['BUILDKITE_AGENT_ENDPOINT'],
  'git-checkout-flags': ['BUILDKITE_GIT_CHECKOUT_FLAGS'],
  'git-clean-flags': ['BUILDKITE_GIT_CLEAN_FLAGS'],
  'git-clone-flags': ['BUILDKITE_GIT_CLONE_FLAGS'],
  'git-fetch-flags': ['BUILDKITE_GIT_FETCH_FLAGS'],
  'git-sparse-checkout-mode': ['BUILDKITE_GIT_SPARSE_CHECKOUT_MODE'],
  'git-sparse-checkout-paths': ['BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS'],
  'hooks-path': ['BUILDKITE_HOOKS_PATH'],
  'log-level': ['BUILDKITE_AGENT_LOG_LEVEL'],
  name: ['BUILDKITE_AGENT_NAME'],
  'no-git-submodules': ['BUILDKITE_NO_GIT_SUBMODULES', 'BUILDKITE_DISABLE_GIT_SUBMODULES'],
  'no-local-hooks': ['BUILDKITE_NO_LOCAL_HOOKS'],
  'no-plugins': ['BUILDKITE_NO_PLUGINS'],
  'no-pty': ['BUILDKITE_NO_PTY'],
  'ping-mode': ['BUILDKITE_AGENT_PING_MODE'],
  'plugins-always-clone-fresh': ['BUILDKITE_PLUGINS_ALWAYS_CLONE_FRESH'],
  'plugins-path': ['BUILDKITE_PLUGINS_PATH'],
  priority: ['BUILDKITE_AGENT_PRIORITY'],
  pty: ['BUILDKITE_PTY'],
  queue: ['BUILDKITE_AGENT_QUEUE'],
  'redacted-vars': ['BUILDKITE_REDACTED_VARS'],
  shell: ['BUILDKITE_SHELL'],
  'signing-jwks-file': ['BUILDKITE_AGENT_SIGNING_JWKS_FILE'],
  'signing-jwks-key-id': ['BUILDKITE_AGENT_SIGNING_JWKS_KEY_ID'],
  'skip-checkout': ['BUILDKITE_SKIP_CHECKOUT'],
  spawn: ['BUILDKITE_AGENT_SPAWN'],
  'spawn-per-cpu': ['BUILDKITE_AGENT_SPAWN_PER_CPU'],
  'spawn-with-priority': ['BUILDKITE_AGENT_SPAWN_WITH_PRIORITY'],
  tags: ['BUILDKITE_AGENT_TAGS', 'BUILDKITE_AGENT_META_DATA'],
  token: ['BUILDKITE_AGENT_TOKEN'],
  'token-file': ['BUILDKITE_AGENT_TOKEN_FILE'],
  'verification-failure-behavior': ['BUILDKITE_AGENT_JOB_VERIFICATION_NO_SIGNATURE_BEHAVIOR'],
  'verification-jwks-file': ['BUILDKITE_AGENT_VERIFICATION_JWKS_FILE'],
};

/** Former names in the file. */
const aliases: Readonly<Record<string, string>> = { 'meta-data': 'tags' };

/**
 * Settings that limit what jobs may do or how they are run, and that this agent does not have: it does not start with
 * them, because to ignore them would do what the operator forbade.
 */
export const refused: Readonly<Record<string, string>> = {
  'allowed-environment-variables': 'BUILDKITE_ALLOWED_ENVIRONMENT_VARIABLES',
  'bootstrap-script': 'BUILDKITE_BOOTSTRAP_SCRIPT_PATH',
  'enable-environment-variable-allowlist': 'BUILDKITE_ENABLE_ENVIRONMENT_VARIABLE_ALLOWLIST',
  'git-commit-verification': 'BUILDKITE_GIT_COMMIT_VERIFICATION',
  'kubernetes-exec': 'BUILDKITE_KUBERNETES_EXEC',
  'no-command-eval': 'BUILDKITE_NO_COMMAND_EVAL',
  'signing-aws-kms-key': 'BUILDKITE_AGENT_SIGNING_AWS_KMS_KEY',
  'signing-gcp-kms-key': 'BUILDKITE_AGENT_SIGNING_GCP_KMS_KEY',
};

/** Settings of the open-source agent that this agent does not have; its log names the ones that are set. */
export const ignored: Readonly<Record<string, string>> = {
  'additional-hooks-paths': 'BUILDKITE_ADDITIONAL_HOOKS_PATHS',
  'artifact-upload-concurrency': 'BUILDKITE_ARTIFACT_UPLOAD_CONCURRENCY',
  'cancel-signal': 'BUILDKITE_CANCEL_SIGNAL',
  'checkout-attempts': 'BUILDKITE_CHECKOUT_ATTEMPTS',
  'checkout-override-mode': 'BUILDKITE_CHECKOUT_OVERRIDE_MODE',
  'debug-http': 'BUILDKITE_AGENT_DEBUG_HTTP',
  'debug-signing': 'BUILDKITE_AGENT_DEBUG_SIGNING',
  'disable-warnings-for': 'BUILDKITE_AGENT_DISABLE_WARNINGS_FOR',
  'disconnect-after-job-timeout': 'BUILDKITE_AGENT_DISCONNECT_AFTER_JOB_TIMEOUT',
  'enable-job-log-tmpfile': 'BUILDKITE_ENABLE_JOB_LOG_TMPFILE',
  experiment: 'BUILDKITE_AGENT_EXPERIMENT',
  'fail-on-missing-tags': 'BUILDKITE_AGENT_FAIL_ON_MISSING_TAGS',
  'git-checkout-timeout': 'BUILDKITE_GIT_CHECKOUT_TIMEOUT',
  'git-clone-mirror-flags': 'BUILDKITE_GIT_CLONE_MIRROR_FLAGS',
  'git-mirror-checkout-mode': 'BUILDKITE_GIT_MIRROR_CHECKOUT_MODE',
  'git-mirrors-lock-timeout': 'BUILDKITE_GIT_MIRRORS_LOCK_TIMEOUT',
  'git-mirrors-path': 'BUILDKITE_GIT_MIRRORS_PATH',
  'git-mirrors-skip-update': 'BUILDKITE_GIT_MIRRORS_SKIP_UPDATE',
  'git-skip-fetch-existing-commits': 'BUILDKITE_GIT_SKIP_FETCH_EXISTING_COMMITS',
  'git-submodule-clone-config': 'BUILDKITE_GIT_SUBMODULE_CLONE_CONFIG',
  'health-check-addr': 'BUILDKITE_AGENT_HEALTH_CHECK_ADDR',
  'hooks-shell': 'BUILDKITE_HOOKS_SHELL',
  'job-context-dir': 'BUILDKITE_JOB_CONTEXT_DIR',
  'job-log-path': 'BUILDKITE_JOB_LOG_PATH',
  'job-logs-otlp': 'BUILDKITE_JOB_LOGS_OTLP',
  'kubernetes-container-start-timeout': 'BUILDKITE_KUBERNETES_CONTAINER_START_TIMEOUT',
  'kubernetes-log-collection-grace-period': 'BUILDKITE_KUBERNETES_LOG_COLLECTION_GRACE_PERIOD',
  'log-format': 'BUILDKITE_LOG_FORMAT',
  'meta-data-ec2': 'BUILDKITE_AGENT_META_DATA_EC2',
  'meta-data-ec2-tags': 'BUILDKITE_AGENT_META_DATA_EC2_TAGS',
  'meta-data-gcp': 'BUILDKITE_AGENT_META_DATA_GCP',
  'metrics-datadog': 'BUILDKITE_METRICS_DATADOG',
  'metrics-datadog-distributions': 'BUILDKITE_METRICS_DATADOG_DISTRIBUTIONS',
  'metrics-datadog-host': 'BUILDKITE_METRICS_DATADOG_HOST',
  'no-ansi-timestamps': 'BUILDKITE_NO_ANSI_TIMESTAMPS',
  'no-automatic-ssh-fingerprint-verification': 'BUILDKITE_NO_AUTOMATIC_SSH_FINGERPRINT_VERIFICATION',
  'no-color': 'BUILDKITE_AGENT_NO_COLOR',
  'no-feature-reporting': 'BUILDKITE_AGENT_NO_FEATURE_REPORTING',
  'no-http2': 'BUILDKITE_NO_HTTP2',
  'no-multipart-artifact-upload': 'BUILDKITE_NO_MULTIPART_ARTIFACT_UPLOAD',
  'no-plugin-validation': 'BUILDKITE_NO_PLUGIN_VALIDATION',
  'no-ssh-keyscan': 'BUILDKITE_NO_SSH_KEYSCAN',
  profile: 'BUILDKITE_AGENT_PROFILE',
  'reflect-exit-status': 'BUILDKITE_AGENT_REFLECT_EXIT_STATUS',
  'signal-grace-period-seconds': 'BUILDKITE_SIGNAL_GRACE_PERIOD_SECONDS',
  'sockets-path': 'BUILDKITE_SOCKETS_PATH',
  'strict-single-hooks': 'BUILDKITE_STRICT_SINGLE_HOOKS',
  'tags-from-ec2': 'BUILDKITE_AGENT_TAGS_FROM_EC2',
  'tags-from-ec2-meta-data': 'BUILDKITE_AGENT_TAGS_FROM_EC2_META_DATA',
  'tags-from-ec2-meta-data-paths': 'BUILDKITE_AGENT_TAGS_FROM_EC2_META_DATA_PATHS',
  'tags-from-ec2-tags': 'BUILDKITE_AGENT_TAGS_FROM_EC2_TAGS',
  'tags-from-ecs-meta-data': 'BUILDKITE_AGENT_TAGS_FROM_ECS_META_DATA',
  'tags-from-gcp': 'BUILDKITE_AGENT_TAGS_FROM_GCP',
  'tags-from-gcp-labels': 'BUILDKITE_AGENT_TAGS_FROM_GCP_LABELS',
  'tags-from-gcp-meta-data': 'BUILDKITE_AGENT_TAGS_FROM_GCP_META_DATA',
  'tags-from-gcp-meta-data-paths': 'BUILDKITE_AGENT_TAGS_FROM_GCP_META_DATA_PATHS',
  'tags-from-host': 'BUILDKITE_AGENT_TAGS_FROM_HOST',
  'timestamp-lines': 'BUILDKITE_TIMESTAMP_LINES',
  'trace-context-encoding': 'BUILDKITE_TRACE_CONTEXT_ENCODING',
  'trace-http': 'BUILDKITE_AGENT_TRACE_HTTP',
  'tracing-backend': 'BUILDKITE_TRACING_BACKEND',
  'tracing-propagate-traceparent': 'BUILDKITE_TRACING_PROPAGATE_TRACEPARENT',
  'tracing-service-name': 'BUILDKITE_TRACING_SERVICE_NAME',
  'wait-for-ec2-meta-data-timeout': 'BUILDKITE_AGENT_WAIT_FOR_EC2_META_DATA_TIMEOUT',
  'wait-for-ec2-tags-timeout': 'BUILDKITE_AGENT_WAIT_FOR_EC2_TAGS_TIMEOUT',
  'wait-for-ecs-meta-data-timeout': 'BUILDKITE_AGENT_WAIT_FOR_ECS_META_DATA_TIMEOUT',
  'wait-for-gcp-labels-timeout': 'BUILDKITE_AGENT_WAIT_FOR_GCP_LABELS_TIMEOUT',
  'write-job-logs-to-stdout': 'BUILDKITE_WRITE_JOB_LOGS_TO_STDOUT',
};

/** Values that mean that a setting is off. */
const off = /^(|0|f|false|no|off|none)$/i;

export interface SettingSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Settings of `buildkite-agent.cfg` by name, and its path; null without one. */
  file: SettingsFile | null;
}

export interface SettingsFile {
  path: string;
  settings: Readonly<Record<string, string>>;
}

/**
 * Sets the options that the command line left out, from variables and then from the file.
 * @returns what is set and ignored, each as the log names it
 * @throws WrongUsage for a value that makes no sense, and for a setting that must not be ignored
 */
export function applySettings(command: Command, { env, file }: SettingSources): string[] {
  const settings = Object.fromEntries(
    Object.entries(file?.settings ?? {}).map(([name, value]) => [aliases[name] ?? name, value]),
  );
  // A token may come in two ways, and the first source that has one of them counts.
  const tokenOptions = ['token', 'token-file'];
  const tokenVariables = tokenOptions.flatMap((name) => variables[name] ?? []);
  if (tokenVariables.some((name) => env[name])) for (const name of tokenOptions) delete settings[name];
  const find = (name: string, names: readonly string[]): { raw: string; source: string } | null => {
    const variable = names.find((each) => env[each]);
    if (variable !== undefined) return { raw: env[variable] ?? '', source: `$${variable}` };
    const raw = settings[name];
    return raw ? { raw, source: `${name} in ${file?.path}` } : null;
  };
  for (const [name, variable] of Object.entries(refused)) {
    const setting = find(name, [variable]);
    if (setting && !off.test(setting.raw))
      throw new WrongUsage(
        `${setting.source}: the bundled agent does not have this setting, and without it jobs could do more ` +
          `than was meant. Remove it, or run the open-source agent`,
      );
  }
  const open = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) !== 'cli');
  const hasToken = open.filter((option) => tokenOptions.includes(nameOf(option))).length < tokenOptions.length;
  for (const option of open) {
    const name = nameOf(option);
    const setting = find(name, variables[name] ?? []);
    if (!setting || (hasToken && tokenOptions.includes(name))) continue;
    command.setOptionValueWithSource(option.attributeName(), parse(option, setting, env), 'config');
  }
  const known = new Set([...Object.keys(variables), ...Object.keys(refused), ...Object.keys(ignored)]);
  return [
    ...Object.entries(ignored).flatMap(([name, variable]) => {
      const setting = find(name, [variable]);
      return setting && !off.test(setting.raw) ? [setting.source] : [];
    }),
    ...Object.keys(settings).flatMap((name) => (known.has(name) ? [] : [`${name} in ${file?.path}`])),
    ...unknownVariables(env).map((name) => `$${name}`),
  ];
}

/** Variables that look like settings of an agent and are none. In a job they may be those of the agent that runs it. */
function unknownVariables(env: SettingSources['env']): string[] {
  const known = new Set([...Object.values(variables).flat(), ...Object.values(refused), ...Object.values(ignored)]);
  return env['BUILDKITE_JOB_ID']
    ? []
    : Object.keys(env).filter((name) => name.startsWith('BUILDKITE_AGENT_') && env[name] && !known.has(name));
}

/** An option's name as the file has it. */
export const nameOf = (option: Option): string => (option.long ?? '').slice(2);

function parse(option: Option, { raw, source }: { raw: string; source: string }, env: SettingSources['env']): unknown {
  if (option.isBoolean() || option.negate) return isTrue(raw) !== option.negate;
  const value = /-(path|file)$/.test(nameOf(option)) ? expandPath(raw, env) : raw;
  try {
    return option.parseArg ? option.parseArg(value, undefined) : value;
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new WrongUsage(`${source}: ${error.message}`);
    throw error;
  }
}

/** A path of a file or variable, where no shell replaces `~` and `$HOME`. */
function expandPath(path: string, env: SettingSources['env']): string {
  return path
    .replace(/^~(?=\/|$)/, () => homedir())
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => env[bare ?? braced ?? ''] ?? '');
}

/**
 * Reads the settings of the file that `path` names, else of the first that is where the open-source agent looks.
 * @throws WrongUsage where the named file cannot be read, or a line is no setting
 */
export function readSettingsFile(path: string | undefined, env: SettingSources['env']): SettingsFile | null {
  const location = path ? resolve(expandPath(path, env)) : defaultPaths().find((each) => existsSync(each));
  if (location === undefined) return null;
  let text: string;
  try {
    text = readFileSync(location, 'utf8');
  } catch (error) {
    throw new WrongUsage(`--config: ${location} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const settings: Record<string, string> = {};
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*(#|$)/.test(line)) return;
    // Its writers may use the colon of YAML too.
    const assignment = line.replace(/^(\s*[\w-]+\s*):/, '$1=');
    const entries = Object.entries(parseEnv(assignment));
    if (entries.length !== 1) throw new WrongUsage(`${location}: line ${index + 1} is not name="value"`);
    for (const [name, value] of entries) settings[name] = value ?? '';
  });
  return { path: location, settings };
}

function defaultPaths(): string[] {
  const name = 'buildkite-agent.cfg';
  return [
    join(homedir(), '.buildkite-agent', name),
    ...(process.platform === 'darwin' ? [join('/opt/homebrew/etc/buildkite-agent', name)] : []),
    join('/usr/local/etc/buildkite-agent', name),
    join('/etc/buildkite-agent', name),
  ];
}
