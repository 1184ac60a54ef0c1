import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from './system/root.ts'

/** Licenses that allow commercial use without publishing the product's own source. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
  // These cover only their own files: libraries that are linked dynamically, and tools that are not changed.
  'LGPL-3.0-or-later',
  'MPL-2.0',
]

/** Packages whose manifests do not name their license. Their license files do. */
const LICENSE_FILES: Record<string, string> = {
  'node_modules/async': 'MIT',
  'node_modules/dejavu-fonts-ttf': 'Bitstream-Vera',
  'node_modules/png-js': 'MIT',
  'node_modules/xmlhttprequest-ssl': 'MIT',
}

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.string().optional(), resolved: z.string().optional() }),
  ),
})

function findRefused(license: string): string[] {
  const isChoice = license.includes(' OR ')
  const parts = license.replace(/[()]/g, '').split(/ AND | OR /)
  const refused = parts.filter((part) => !ALLOWED.includes(part))
  return isChoice && refused.length < parts.length ? [] : refused
}

test('every dependency has a license that allows commercial use', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  const refused = Object.entries(packages).flatMap(([path, { license = 'none', resolved }]) => {
    const isOwn = !path.includes('node_modules/') || resolved?.startsWith('file:')
    return isOwn ? [] : findRefused(LICENSE_FILES[path] ?? license).map((name) => `${path}: ${name}`)
  })
  expect(refused).toEqual([])
})

test.each([
  ['MIT', []],
  ['(MPL-2.0 OR GPL-3.0)', []],
  ['MIT AND GPL-3.0', ['GPL-3.0']],
  ['AGPL-3.0-only', ['AGPL-3.0-only']],
])('judges %s', (license, refused) => {
  expect(findRefused(license)).toEqual(refused)
})
