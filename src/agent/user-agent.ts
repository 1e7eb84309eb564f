import { arch, platform } from 'node:os';

const goArchitectures: Partial<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/** The machine's architecture by the name agents use on the wire. */
export function wireArchitecture(): string {
  return goArchitectures[arch()] ?? arch();
}

/** `slipway-agent/<version>.x (<os>; <arch>)`, the form in which agents name themselves. */
export function userAgent(version: string): string {
  return `slipway-agent/${version}.x (${platform()}; ${wireArchitecture()})`;
}
