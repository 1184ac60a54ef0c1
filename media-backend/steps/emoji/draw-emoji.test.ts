import { expect, test } from 'vitest'
import { estimateEmojiBytes } from './draw-emoji.ts'

const size = { width: 1000, height: 500 }
const BOX = { left: 0, top: 0, width: 100, height: 100 }

test('counts the memory of 64 emoji of the largest size at most', () => {
  const bytesOf = (count: number) =>
    estimateEmojiBytes({ size, emoji: Array(count).fill('😀') }, [undefined, BOX, { ...BOX, width: 50 }])
  const frame_bytes = 3 * 4 * 1000 * 500
  expect(bytesOf(10)).toBe(frame_bytes + 10 * 40_000)
  expect(bytesOf(1000)).toBe(frame_bytes + 64 * 40_000)
})
