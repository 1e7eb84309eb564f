/** The first line of a text, by which a message, a command or a failure is named; empty for none. */
export const firstLine = (text: string | null | undefined): string => text?.split('\n', 1)[0] ?? '';
