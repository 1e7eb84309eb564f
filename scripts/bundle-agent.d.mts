export function bundleAgent(compiled: string, version: string): Promise<string>;
