/** Converts a name of the service to a name in TypeScript: "strip_meta" is "stripMeta". */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
