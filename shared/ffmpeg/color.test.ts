import { describe, expect, test } from 'vitest'
import { type Place, Position, placeBox } from '../text/positions.ts'
import { Color } from './color.ts'

describe('colors', () => {
  test.each([
    ['#FFCC00', '#ffcc00'],
    ['fc0', '#ffcc00'],
    ['#fc0', '#ffcc00'],
    ['White', '#ffffff'],
  ])('%s is %s', (sent, color) => {
    expect(Color.parse(sent)).toBe(color)
  })

  test.each(['', '#ffcc0', 'red@0.5', '0xffcc00', "white'", '#ffcc00\n', 'constructor', 'rgb(1,2,3)'])(
    '%j is refused',
    (sent) => {
      expect(Color.safeParse(sent).success).toBe(false)
    },
  )
})

describe('positions', () => {
  test.each([
    ['tl', 10, 10],
    ['t', 45, 10],
    ['tr', 80, 10],
    ['l', 10, 25],
    ['c', 45, 25],
    ['r', 80, 25],
    ['bl', 10, 40],
    ['b', 45, 40],
    ['br', 80, 40],
  ] as [Place, number, number][])('%s of a frame', (place, x, y) => {
    expect(placeBox(place, { width: 100, height: 60 }, { width: 10, height: 10 }, 10)).toEqual({ x, y })
  })

  test('keeps a box within the frame if it is larger than the space between the margins', () => {
    expect(placeBox('br', { width: 100, height: 60 }, { width: 95, height: 70 }, 10)).toEqual({ x: 3, y: 0 })
  })

  test('accepts aliases', () => {
    expect(['tc', 'cl', 'center', 'cr', 'bc', 'br'].map((name) => Position.parse(name))).toEqual([
      ...['t', 'l', 'c', 'r', 'b', 'br'],
    ])
  })
})
