export function compile(source: string, target: string): void;
