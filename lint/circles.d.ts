export function importsOf(src: string, name: string): string[];
export function importCircles(src: string): string[][];
