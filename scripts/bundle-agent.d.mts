export function bundleAgent(compiled: string, target: string, version: string): Promise<string>;
