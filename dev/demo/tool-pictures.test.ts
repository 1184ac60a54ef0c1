import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { addressOf } from '../docs/operation-section.ts'
import { PICTURES, SHOWN } from './tool-pictures.ts'

const fileOf = (name: string) => `${name.replace('/', '-')}.webp`

test('every operation that has a picture exists, and every picture is there', () => {
  const names = OPERATIONS.map(addressOf)
  expect(names).toEqual(expect.arrayContaining(Object.keys(SHOWN)))
  expect(readdirSync(PICTURES).sort()).toEqual(Object.keys(SHOWN).map(fileOf).sort())
})

test.each(Object.keys(SHOWN))('the picture of %s is small', async (name) => {
  const { width, height, size = 0 } = await sharp(join(PICTURES, fileOf(name))).metadata()
  expect([width, height]).toEqual([192, 108])
  expect(size).toBeLessThan(5000)
})
