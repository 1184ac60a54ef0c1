/** What the image of the fleet consists of, according to system-packages.txt. */
export interface Userland {
  /** The base image: `node:VERSION-RELEASE-slim@sha256:…`. */
  base: string
  node_version: string
  debian_release: string
  /** Version of each Debian package by its name. */
  packages: Map<string, string>
}

const BASE = /^node:(?<node_version>[\d.]+)-(?<debian_release>[a-z]+)-slim@sha256:[0-9a-f]{64}$/

/** @throws Error if the base is not pinned to a version of Node, a release of Debian and a digest */
export function parseUserland(system_packages: string): Userland {
  const rows = system_packages
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))
  const base = rows.find(([where]) => where === 'base')?.[1] ?? ''
  const { node_version, debian_release } = BASE.exec(base)?.groups ?? {}
  if (node_version === undefined || debian_release === undefined) {
    throw new Error(`The base of the fleet's image is not pinned: ${base}`)
  }
  const packages = rows
    .filter(([where]) => where === 'fleet' || where === 'shipped')
    .map(([, , name = '', version = '']) => [name, version] as const)
  return { base, node_version, debian_release, packages: new Map(packages) }
}

/**
 * Lists how an installed system differs from the userland, as sentences.
 * @param installed version of each installed Debian package by its name
 */
export function findDifferences(
  userland: Userland,
  node_version: string,
  installed: ReadonlyMap<string, string>,
): string[] {
  const packages = [...userland.packages].filter(([name, version]) => installed.get(name) !== version)
  return [
    ...(node_version === userland.node_version
      ? []
      : [`Node is ${node_version} instead of ${userland.node_version}`]),
    ...packages.map(
      ([name, version]) => `${name} is ${installed.get(name) ?? 'missing'} instead of ${version}`,
    ),
  ]
}
