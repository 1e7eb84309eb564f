export const pages: string[];
export function withExamples(text: string): string;
export function examplesOf(text: string): string[];
