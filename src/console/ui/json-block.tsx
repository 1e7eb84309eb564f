/** JSON text, laid out to be read; text that is no JSON as it is. Nothing for null. */
export function JsonBlock({ label, json }: { label: string; json: string | null | undefined }) {
  if (json == null) return null;
  return (
    <div className="stack stack-s">
      <h3>{label}</h3>
      <pre className="json-block" tabIndex={0} aria-label={label} role="region">
        {readable(json)}
      </pre>
    </div>
  );
}

function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
