export const features: Record<string, RegExp>;
export function countFeatures(): { name: string; files: number }[];
