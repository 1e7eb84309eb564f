import { createServer } from 'node:net';

/** The kernel gives ports from 32768 on to connections, and to servers that ask for any port. */
const lowest = 12_000;
const portsOfProcess = 100;
const processes = 200;

let next = 0;

/**
 * A port of this host for a program that is told its port, and may stop and start again on it. Nothing else takes it
 * meanwhile, as happens to ports that the kernel gives: another test's server does, or a connection that goes out; and
 * a program that keeps trying to connect to a closed port of that kind is at last connected with itself. Each process
 * of tests has ports of its own.
 */
export async function testPort(): Promise<number> {
  for (let tries = 0; tries < portsOfProcess; tries += 1) {
    const port = lowest + (process.pid % processes) * portsOfProcess + (next % portsOfProcess);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`none of the ${portsOfProcess} ports of this process is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
