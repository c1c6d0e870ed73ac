/** A module of the built product: dependency injection reads types that only the build keeps. */
export async function fromDist<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module;
}
