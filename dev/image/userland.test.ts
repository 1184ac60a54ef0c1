import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'
import { findDifferences, parseUserland } from './userland.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const dockerfile = read('media-backend/Dockerfile')
const userland = parseUserland(read('system-packages.txt'))

const Lock = z.object({ packages: z.object({ 'node_modules/node': z.object({ version: z.string() }) }) })

describe('the image of the fleet', () => {
  test('starts from the base that system-packages.txt names', () => {
    expect(/^FROM (.+)$/m.exec(dockerfile)?.[1]).toBe(userland.base)
  })

  test('takes packages from the Debian release of its base', () => {
    expect(dockerfile).toContain(`"$DEBIAN" ${userland.debian_release} `)
  })

  test('has the Node that runs `npm start` and the tests', () => {
    const lock = Lock.parse(JSON.parse(read('package-lock.json')))
    expect(lock.packages['node_modules/node'].version).toBe(userland.node_version)
  })

  test('pins every package', () => {
    for (const [name, version] of userland.packages)
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d/)])
    expect([...userland.packages.keys()]).toEqual(expect.arrayContaining(['ffmpeg', 'yt-dlp']))
  })
})

test('names each package that differs', () => {
  const installed = new Map([...userland.packages, ['ffmpeg', '7:9.0.2-4'] as const])
  installed.delete('yt-dlp')
  expect(findDifferences(userland, userland.node_version, userland.packages)).toEqual([])
  expect(findDifferences(userland, '20.1.0', installed)).toEqual([
    `Node is 20.1.0 instead of ${userland.node_version}`,
    expect.stringContaining('ffmpeg is 7:9.0.2-4 instead of '),
    expect.stringContaining('yt-dlp is missing instead of '),
  ])
})

test.each(['node:24-trixie-slim', `node:24.1.0-trixie-slim@sha256:abc`, ''])(
  'refuses the base %j',
  (base) => {
    expect(() => parseUserland(`base ${base}`)).toThrow('not pinned')
  },
)
