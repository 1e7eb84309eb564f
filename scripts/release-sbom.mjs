/**
 * What of the SBOM of a checkout is in its package, or installed with it: the packages of `dependencies` and those whose code
 * the chunks and the console hold, which are `devDependencies`, because nothing installs them any more.
 * @param sbom CycloneDX, as `npm sbom` gives it for the checkout with all its packages
 * @param bundled names of the packages in the chunks and the console, as `name@version`
 */
export function componentsOfPackage(sbom, bundled) {
  const known = new Set(sbom.components.map((component) => component['bom-ref']));
  const missing = [...bundled].filter((reference) => !known.has(reference));
  if (missing.length > 0)
    throw new Error(`the SBOM names no ${missing.join(', ')}: install the packages anew (npm ci)`);
  const isDevelopment = ({ name, value }) => name === 'cdx:npm:package:development' && value === 'true';
  const components = sbom.components
    .filter((component) => bundled.has(component['bom-ref']) || !(component.properties ?? []).some(isDevelopment))
    .map(({ properties = [], ...component }) => ({
      ...component,
      properties: properties.filter((property) => !isDevelopment(property)),
    }));
  const own = sbom.metadata.component;
  const kept = new Set([own['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  return {
    ...sbom,
    // The folder of the checkout is no name of the product.
    metadata: { ...sbom.metadata, component: { ...own, type: 'application', name: 'slipway' } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}
