import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildBase } from './image/build-base.ts'
import { buildImage, openContainer, readCommand } from './image/buildah.ts'
import { readDebianMirror } from './image/debian-mirror.ts'
import { findDifferences, parseUserland } from './image/userland.ts'
import { ROOT } from './system/root.ts'

/**
 * `npm run test:image`: builds the image of the fleet from its Dockerfile, compares its versions with
 * system-packages.txt, runs jobs with the program and the npm packages of the image, solves a challenge with yt-dlp,
 * and runs all tests of the fleet in it. Requires root and Debian. Only the base image is another one: a bootstrap of
 * the same Debian release.
 */
const BASE = 'localhost/fleet-base'
const FLEET = 'localhost/fleet'
const TESTS = 'localhost/fleet-tests'

const userland = parseUserland(readFileSync(join(ROOT, 'system-packages.txt'), 'utf8'))
const mirror = readDebianMirror()

buildBase(BASE, userland.debian_release, mirror)
const archive = [
  '--build-arg',
  `DEBIAN=${mirror.debian}`,
  '--build-arg',
  `DEBIAN_SECURITY=${mirror.security}`,
]
buildImage(FLEET, join(ROOT, 'media-backend/Dockerfile'), ROOT, ['--from', BASE, ...archive])
buildImage(TESTS, join(import.meta.dirname, 'image/tests.Dockerfile'), ROOT, [
  '--build-arg',
  `IMAGE=${FLEET}`,
])

const container = openContainer(TESTS)
try {
  // A line is the name, with the architecture of some packages, and the version.
  const installed = container
    .read(['dpkg-query', '--show'])
    .split('\n')
    .map((line) => line.split(/(?::\w+)?\t/) as [string, string])
  const node_version = container.read(['node', '--print', 'process.versions.node']).trim()
  const differences = findDifferences(userland, node_version, new Map(installed))
  if (differences.length > 0) throw new Error(`The image is not as pinned: ${differences.join('; ')}.`)
  for (const [name, version] of userland.packages) console.log(`${name} ${version}`)

  container.run(['node', '/checkout/dev/image/run-jobs.ts', ...readCommand(FLEET)], '/app')
  container.run(
    ['python3', '/checkout/dev/image/solve-challenge.py', '/app/media-backend/link/qjs.pl'],
    '/app',
  )
  // By default, Vite would write the bundled configuration into the checkout, which is mounted read-only.
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'native']
  container.run(['node', ...vitest, '--project', 'fleet'], '/checkout')
} finally {
  container.remove()
}
