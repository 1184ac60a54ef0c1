import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CutMismatch } from './cut-mismatch.ts'
import { escapeUnit, numberBits, readBits, replaceStart, unescapeUnit } from './unit-bytes.ts'

const digitsOf = (bytes: Buffer) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((array) => Buffer.from([...array, 0x80]))

test('replaces the start of a unit and keeps all bits up to the stop bit', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.stringMatching(/^[01]{0,20}$/), (unit, at, digits) => {
      const to_bit = at % (8 * (unit.length - 1))
      const rest = digitsOf(unit).slice(to_bit).replace(/0*$/, '')
      expect(digitsOf(replaceStart(unit, digits, to_bit)).replace(/0*$/, '')).toBe(digits + rest)
    }),
  )
})

test('reads the numbers that it writes', () => {
  fc.assert(
    fc.property(fc.nat(70_000), fc.nat(7), (number, offset) => {
      const digits = '0'.repeat(offset) + numberBits(number)
      const padded = digits.padEnd(8 * Math.ceil(digits.length / 8), '0')
      const unit = Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
      expect(readBits(unit, offset).number()).toBe(number)
    }),
  )
})

test('keeps start codes out of a unit', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 2, 3, 4), { maxLength: 20 }), (values) => {
      const unit = Buffer.from([...values, 0x80])
      const escaped = escapeUnit(unit)
      expect(escaped.toString('hex').match(/^(..)*?0000(00|01|02)/)).toBeNull()
      expect(unescapeUnit(escaped)).toEqual(unit)
    }),
  )
})

test('refuses a unit that ends within a number', () => {
  expect(() => readBits(Buffer.from([0]), 0).number()).toThrow(CutMismatch)
})
