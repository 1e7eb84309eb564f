import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Router } from 'express';

/** A router that takes long to build. */
export interface Loaded {
  router: Router;
  /** Takes a connection over that wants another protocol. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Wakes subscriptions, because there may be new events. */
  wake?(): void;
  /** Ends work that would otherwise never end, such as streams. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

export interface LazyRouter {
  /** Holds requests until the router is built. */
  router: Router;
  /** Builds the router while no request waits; the first request after a failure gets its error. */
  warm(): void;
  /** Hands a connection over once the router is built; false if the router accepts none. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean>;
  wake(): void;
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Loading holds the event loop, so clients that wait for this process to start are answered first. */
const warmAfterMs = 1000;

/** Builds a router when it is first needed or warmed, so that the server can answer everything else before. */
export function lazyRouter(load: () => Promise<Loaded>): LazyRouter {
  let loading: Promise<Loaded> | null = null;
  let loaded: Loaded | null = null;
  const start = () => {
    loading ??= load().then(
      (real) => (loaded = real),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  let timer: NodeJS.Timeout | undefined;
  const router = Router();
  router.use(async (request, response, next) => {
    const { router: real } = await start();
    real(request, response, next);
  });
  return {
    router,
    warm: () => {
      timer = setTimeout(() => void start().catch(() => undefined), warmAfterMs).unref();
    },
    upgrade: async (request, socket, head) => {
      const real = await start();
      if (!real.upgrade) return false;
      real.upgrade(request, socket, head);
      return true;
    },
    wake: () => loaded?.wake?.(),
    drain: async () => loaded?.drain?.(),
    stop: async () => {
      clearTimeout(timer);
      await (await loading)?.stop();
    },
  };
}
