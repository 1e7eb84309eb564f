import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { ProxyProgram } from './proxy-programs.js';

interface Configuration {
  entryPoints: Record<string, { address: string; http?: unknown }>;
}

interface Routes {
  http: {
    routers: { slipway: { rule: string; tls?: unknown } };
    services: { slipway: { loadBalancer: { servers: { url: string }[] } } };
  };
}

/** Starts the sample of `deploy` for Traefik with these replicas, on a port of this host and without a certificate. */
export function startTraefik(program: string, port: number, replicas: readonly number[]): ProxyProgram {
  const read = (name: string): unknown => parse(readFileSync(`deploy/traefik/${name}`, 'utf8'));
  const configuration = read('traefik.yml') as Configuration;
  const routes = read('slipway.yml') as Routes;
  // Its redirection to https has no place here.
  delete configuration.entryPoints['web'];
  const { websecure } = configuration.entryPoints;
  const { slipway: router } = routes.http.routers;
  if (!websecure || !router.rule.includes('`ci.example.com`') || !router.tls) throw new Error('the sample has changed');
  websecure.address = `127.0.0.1:${port}`;
  router.rule = router.rule.replace('`ci.example.com`', '`127.0.0.1`');
  delete router.tls;
  routes.http.services.slipway.loadBalancer.servers = replicas.map((replica) => ({
    url: `http://127.0.0.1:${replica}`,
  }));
  return ProxyProgram.traefik(program, stringify(configuration), stringify(routes));
}
