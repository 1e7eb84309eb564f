export function bundleProgram(compiled: string, target: string): Promise<void>;
