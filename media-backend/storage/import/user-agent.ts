import { readFileSync } from 'node:fs'

const MANIFEST = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Names the product, its version and where to reach its operator, as hosts such as Wikimedia require. */
export function userAgentOf({ EDGE_URL }: { EDGE_URL: string }): string {
  return `MediaCredits/${MANIFEST.version} (+${EDGE_URL})`
}
