/** The first line of a text, by which a message or a command is named, without its line break; empty for none. */
export const firstLine = (text: string | null | undefined): string => text?.split(/\r?\n/, 1)[0] ?? '';
