import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INPUT_EXTENSIONS, INPUT_FORMATS, isUnreadImage } from '../shared/images/input-formats.ts'

const ROOT = join(import.meta.dirname, '..')

test('the command line reads all extensions of images from a folder', () => {
  const code = readFileSync(join(ROOT, 'client/cli/inputs.ts'), 'utf8')
  const [, listed = ''] = /image:\s+'([^']+)'/.exec(code) ?? []
  expect(listed.split(' ')).toEqual([...INPUT_EXTENSIONS])
})

test('no format is both read and refused', () => {
  expect(INPUT_FORMATS.flatMap(({ types }) => types).filter(isUnreadImage)).toEqual([])
})
