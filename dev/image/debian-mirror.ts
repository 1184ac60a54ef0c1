import { execFileSync } from 'node:child_process'

export interface DebianMirror {
  debian: string
  security: string
}

/** Returns the addresses from which apt of this machine takes packages. */
export function readDebianMirror(): DebianMirror {
  const args = ['indextargets', '--format', '$(LABEL) $(REPO_URI)', 'Created-By: Packages', 'Origin: Debian']
  return parseDebianMirror(execFileSync('apt-get', args, { encoding: 'utf8' }))
}

/**
 * @param targets lines of a label and an address
 * @throws Error if this machine does not take packages from Debian
 */
export function parseDebianMirror(targets: string): DebianMirror {
  const addresses = new Map(
    targets.split('\n').map((line) => line.split(' ') as [string, string | undefined]),
  )
  const debian = addresses.get('Debian')
  const security = addresses.get('Debian-Security')
  if (debian === undefined || security === undefined) {
    throw new Error('The image is built from the Debian mirror of this machine, but apt knows none.')
  }
  return { debian, security }
}
