interface Component {
  'bom-ref': string;
  name: string;
  type?: string;
  properties?: { name: string; value: string }[];
}

interface Sbom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

export function componentsOfPackage(sbom: Sbom, bundled: ReadonlySet<string>): Sbom;
