import { Agent, createServer, type RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest, { type Test } from 'supertest';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
type Requests = Record<(typeof methods)[number], (path: string) => Test>;

/** Keeps connections: making one costs more than most requests. */
const connections = new Agent({ keepAlive: true });

/** Requests to a server that listens, or to an application, which listens while it gets requests. */
export function requestsTo(target: Server | RequestListener): Requests {
  const server = target instanceof Server ? target : serverOf(target);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.fromEntries(
    methods.map((method) => [method, (path: string) => supertest(url)[method](path).agent(connections)]),
  ) as Requests;
}

const idleMs = 5000;
const listening = new WeakMap<RequestListener, { server: Server; idle: NodeJS.Timeout }>();

function serverOf(application: RequestListener): Server {
  const known = listening.get(application);
  if (known) {
    known.idle.refresh();
    return known.server;
  }
  const server = createServer(application).listen(0).unref();
  const idle = setTimeout(() => {
    listening.delete(application);
    server.close();
  }, idleMs).unref();
  listening.set(application, { server, idle });
  return server;
}
