import { expect, test } from 'vitest'
import { fileNameIn } from './file-names.ts'

test.each([
  ['clip.mp4', 'clip.mp4'],
  ['%D1%84%D0%BE%D1%82%D0%BE%20(1).png', 'фото (1).png'],
  ['%E9t%E9.png', 'été.png'],
  ['album%2F2026%2Fbeach.jpg', 'beach.jpg'],
  ['..%5C..%5Cbeach.jpg', 'beach.jpg'],
  ['beach%2F', 'beach'],
  ['a%00b%0D%0A%7F.png', 'ab.png'],
  ['100%.png', '100%.png'],
  ['%2', '%2'],
  ['', ''],
])('reads %s', (encoded, name) => {
  expect(fileNameIn(encoded)).toBe(name)
})
