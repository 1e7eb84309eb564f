/** Numbers that tell how something does, each with its name. */
export function Figures({ label, figures }: { label: string; figures: [string, string | number][] }) {
  return (
    <dl className="figures" aria-label={label}>
      {figures.map(([name, value]) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
