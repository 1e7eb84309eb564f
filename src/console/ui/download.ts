/** Gives a person a file that the page has made. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Rows as CSV with a line of names first. Texts that a spreadsheet would take for a formula are marked as texts. */
export async function csvOf(rows: Record<string, string | number | null>[]): Promise<string> {
  const { default: papaparse } = await import('papaparse');
  return papaparse.unparse(rows, { escapeFormulae: true, newline: '\n' });
}
