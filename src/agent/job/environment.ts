/** Variables of the agent's environment that a job may see; all others, in particular tokens, stay hidden. */
const inherited =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|TZ|LANG|LANGUAGE|LC_[A-Z]+|TERM|SSH_AUTH_SOCK|XDG_[A-Z_]+|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

/** Variables only an agent may set; this agent has nothing to say for these. */
const agentOnly = new Set([
  'BUILDKITE_AGENT_TOKEN',
  'BUILDKITE_AGENT_DEBUG',
  'BUILDKITE_AGENT_DEBUG_HTTP',
  'BUILDKITE_AGENT_JWKS_FILE',
  'BUILDKITE_AGENT_JWKS_KEY_ID',
  'BUILDKITE_BIN_PATH',
  'BUILDKITE_CONFIG_PATH',
  'BUILDKITE_HOOKS_PATH',
  'BUILDKITE_PLUGINS_PATH',
  'BUILDKITE_SOCKETS_PATH',
  'BUILDKITE_HOOKS_SHELL',
  'BUILDKITE_SSH_KEYSCAN',
  'BUILDKITE_STRICT_SINGLE_HOOKS',
  'BUILDKITE_NO_HTTP2',
  'BUILDKITE_ENV_FILE',
  'BUILDKITE_ENV_JSON_FILE',
  'BUILDKITE_SECRETS_CONFIG',
  'BUILDKITE_AGENT_EXPERIMENT',
  'BUILDKITE_AGENT_JOB_TIMEOUT_FILE',
  'BUILDKITE_CHECKOUT_ATTEMPTS',
  'BUILDKITE_CHECKOUT_OVERRIDE_MODE',
  'BUILDKITE_CANCEL_SIGNAL',
  'BUILDKITE_SIGNAL_GRACE_PERIOD_SECONDS',
]);

const maxMessageBytes = 64 * 1024;

export interface AgentOwned {
  endpoint: string;
  accessToken: string;
  agentName: string;
  buildPath: string;
  checkoutPath: string;
  shell: readonly string[];
  hooksPath: string | undefined;
  pluginsPath: string;
  pluginsEnabled: boolean;
  repositoryHooksEnabled: boolean;
  /** Variables that a job begins with unless it has its own. */
  defaults: Readonly<Record<string, string>>;
  cancelGracePeriod: number;
  requestHeaders: Readonly<Record<string, string>>;
  /** Patterns of variables whose values are hidden from logs. */
  redactedVars: readonly string[];
  /** Keys with which jobs sign the steps that they upload. */
  signing: { keysFile: string; keyId: string | undefined } | undefined;
}

export interface JobEnvironment {
  env: Record<string, string>;
  /** Names the server sent although only the agent may set them. */
  ignored: string[];
}

/**
 * Returns the environment of a job's programs: a safe base from the agent, then the job's env, then the variables that
 * only the agent knows.
 */
export function jobEnvironment(
  base: NodeJS.ProcessEnv,
  job: Readonly<Record<string, string>>,
  agent: AgentOwned,
): JobEnvironment {
  const own = agentVariables(agent);
  const ignored = Object.keys(job).filter(
    (name) => agentOnly.has(name) || (name in own && name !== 'BUILDKITE_AGENT_NAME'),
  );
  const env: Record<string, string> = { TERM: 'xterm-256color', CI: 'true', BUILDKITE: 'true', ...agent.defaults };
  for (const [name, value] of Object.entries(base)) if (value !== undefined && inherited.test(name)) env[name] = value;
  for (const [name, value] of Object.entries(job)) if (!agentOnly.has(name)) env[name] = value;
  if (env['BUILDKITE_MESSAGE'] !== undefined)
    env['BUILDKITE_MESSAGE'] = cutUtf8(env['BUILDKITE_MESSAGE'], maxMessageBytes);
  return { env: { ...env, ...own }, ignored };
}

function agentVariables(agent: AgentOwned): Record<string, string> {
  const headers = Object.entries(agent.requestHeaders).map(([name, value]) => [
    `BUILDKITE_REQUEST_HEADER_${name
      .replace(/^buildkite-/i, '')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '_')}`,
    value,
  ]);
  return {
    BUILDKITE_AGENT_ENDPOINT: agent.endpoint,
    BUILDKITE_AGENT_ACCESS_TOKEN: agent.accessToken,
    BUILDKITE_AGENT_NAME: agent.agentName,
    BUILDKITE_AGENT_PID: String(process.pid),
    BUILDKITE_BUILD_PATH: agent.buildPath,
    BUILDKITE_BUILD_CHECKOUT_PATH: agent.checkoutPath,
    BUILDKITE_SHELL: agent.shell.join(' '),
    BUILDKITE_COMMAND_EVAL: 'true',
    ...(agent.hooksPath === undefined ? {} : { BUILDKITE_HOOKS_PATH: agent.hooksPath }),
    BUILDKITE_PLUGINS_PATH: agent.pluginsPath,
    BUILDKITE_PLUGINS_ENABLED: String(agent.pluginsEnabled),
    BUILDKITE_LOCAL_HOOKS_ENABLED: String(agent.repositoryHooksEnabled),
    BUILDKITE_CANCEL_GRACE_PERIOD: String(agent.cancelGracePeriod),
    BUILDKITE_REDACTED_VARS: agent.redactedVars.join(','),
    ...(agent.signing && {
      BUILDKITE_AGENT_JWKS_FILE: agent.signing.keysFile,
      ...(agent.signing.keyId !== undefined && { BUILDKITE_AGENT_JWKS_KEY_ID: agent.signing.keyId }),
    }),
    // Nobody can answer a prompt in a job.
    GIT_TERMINAL_PROMPT: '0',
    ...(Object.fromEntries(headers) as Record<string, string>),
  };
}

function cutUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
