import { Router } from 'express';

/** A router that takes long to build. */
export interface Loaded {
  router: Router;
  stop(): Promise<void>;
}

export interface LazyRouter {
  /** Holds requests until the real one is there. */
  router: Router;
  /** Builds it in a moment, while nobody waits; a failure is told to the request that finds it. */
  warm(): void;
  stop(): Promise<void>;
}

/** Loading holds the event loop: whoever waits for this process to come up is answered first. */
const warmAfterMs = 1000;

/** Builds a router when it is first needed or warmed, so that the server can answer everything else before. */
export function lazyRouter(load: () => Promise<Loaded>): LazyRouter {
  let loading: Promise<Loaded> | null = null;
  const start = () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
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
    stop: async () => {
      clearTimeout(timer);
      await (await loading)?.stop();
    },
  };
}
