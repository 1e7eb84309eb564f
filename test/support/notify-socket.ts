import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/**
 * A socket of the kind that systemd gives services to report to: one message a line. Python, as Node has no such
 * sockets.
 */
const receiver = `
import os, socket, sys
receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiving.bind(sys.argv[1])
while True:
    data, ancillary, _, _ = socket.recv_fds(receiving, 4096, 4)
    # systemd-notify waits until the descriptor that it sent is closed.
    for descriptor in ancillary:
        os.close(descriptor)
    print(data.decode().replace(chr(10), ' '), flush=True)
`;

/** Why messages to a service manager cannot be seen here; null where they can. */
export const noNotifications = (): string | null => {
  if (spawnSync('systemd-notify', ['--version']).status !== 0) return 'systemd-notify is not installed';
  const python = spawnSync('python3', ['-c', 'import socket; socket.recv_fds']);
  return python.status === 0 ? null : 'there is no Python of version 3.9 or newer';
};

/** What a process tells the service manager that started it. */
export class NotifySocket {
  readonly messages: string[] = [];
  private readonly child: ChildProcess;

  constructor(readonly path: string) {
    this.child = spawn('python3', ['-u', '-c', receiver, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.messages.push(...text.split('\n').filter((line) => line !== ''));
    });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
