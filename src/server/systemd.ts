import { execFile } from 'node:child_process';
import { ConfigError } from '../services/config-error.js';
import type { Logger } from '../services/services.js';

/** The first file descriptor that a supervisor passes (sd_listen_fds(3)). */
const firstSocket = 3;

/**
 * The socket that systemd listens on for this process, and removes the variables that say so, because they are not
 * meant for the processes that it starts; null where it passes none. Throws {@link ConfigError} for several.
 */
export function takeSystemdSocket(env: NodeJS.ProcessEnv = process.env): number | null {
  const { LISTEN_PID: forProcess, LISTEN_FDS: count } = env;
  if (count === undefined || Number(forProcess) !== process.pid) return null;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name];
  if (Number(count) !== 1)
    throw new ConfigError(`systemd passes ${count} sockets, and Slipway listens on one: leave one ListenStream=`);
  return firstSocket;
}

/** Tells systemd how a service of `Type=notify` does (sd_notify(3)). */
export interface ServiceManager {
  /**
   * It answers requests. From now on it also says every half of `WatchdogSec=` that its event loop turns. The log
   * learns where systemd cannot be told.
   */
  ready(log: Logger): void;
  /** It was asked to stop. */
  stopping(): void;
}

const patienceMs = 5_000;

/**
 * The service manager that started this process; one that hears nothing where none did. Removes the variables that
 * name it, as they are not meant for processes that this one starts. Node has no datagram sockets of the unix family,
 * so `systemd-notify` sends the messages: the unit needs `NotifyAccess=all`.
 */
export function openServiceManager(env: NodeJS.ProcessEnv = process.env): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog, WATCHDOG_PID: watched } = env;
  if (!socket) return { ready: () => undefined, stopping: () => undefined };
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  let log: Logger | null = null;
  let pending = 0;
  let failed = false;
  const tell = (...states: string[]) => {
    pending += 1;
    const { PATH = '' } = env;
    execFile('systemd-notify', states, { env: { PATH, NOTIFY_SOCKET: socket }, timeout: patienceMs }, (error) => {
      pending -= 1;
      if (error && !failed) log?.warn({ err: error }, 'systemd cannot be told how this service does (systemd-notify)');
      failed = error !== null;
    });
  };
  const isWatched = watchdog !== undefined && (watched === undefined || Number(watched) === process.pid);
  return {
    ready: (own) => {
      log = own;
      tell('--ready');
      const everyMs = Math.max(100, Number(watchdog) / 1_000 / 2);
      // One that has not ended is not joined by another.
      if (isWatched) setInterval(() => pending === 0 && tell('WATCHDOG=1'), everyMs).unref();
    },
    stopping: () => tell('STOPPING=1'),
  };
}
